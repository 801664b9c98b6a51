"""Running every trial of a kit, each in a process of its own in that kit's environment."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from benchmarks.kits.kit import Kit
from benchmarks.kits.results import Judged, KitResult, Seen, Trial
from benchmarks.kits.trial import kit

__all__ = ["BadTrial", "Say", "judge"]

Say = Callable[[str], None]

_LONGEST: Final = 300.0
"""Seconds after which a trial is given up."""


class BadTrial(RuntimeError):
    """A trial told nothing: it broke, or a fault was not active, or a kit fails without one."""


def judge(folder: str, say: Say) -> KitResult:
    """Run all trials of a kit.

    Raises:
        BadTrial: a fault is inactive, the kit fails without any fault, or a process broke.
    """
    described = kit(folder)
    about = _answer(folder, "about")
    seen = {fault: _seen(fault, told) for fault, told in about["seen"].items()}
    runs = [
        ["plain"],
        ["faulty"],
        *([fault] for fault in seen),
        *(["plain", switch] for switch in described.switches),
    ]
    with ThreadPoolExecutor(max_workers=2) as pool:
        trials = list(pool.map(lambda each: _trial(folder, each), runs))
    plain, carrier, *others = trials
    for name, trial in (("as published", plain), ("that carries faults", carrier)):
        if trial.failed or not trial.passed:
            raise BadTrial(f"{described.title}, backend {name}: expected a pass, got {trial}")
    faulty, switched_off = others[: len(seen)], others[len(seen) :]
    result = KitResult(
        title=described.title,
        backend=described.backend,
        what_runs=described.what_runs,
        python=about["python"],
        versions=about["versions"],
        plain=plain,
        carrier=carrier,
        judged={
            fault: _judged(described, fault, seen[fault], trial)
            for fault, trial in zip(seen, faulty, strict=True)
        },
        left_out=dict(described.left_out),
        switched_off=dict(zip(described.switches, switched_off, strict=True)),
    )
    say(f"{result.title}: {result.caught} of {len(result.judged)} faults caught")
    return result


def _judged(described: Kit, fault: str, seen: Seen, trial: Trial) -> Judged:
    return Judged(
        told="caught" if trial.failed else "not caught",
        seen=seen,
        trial=trial,
        beyond=described.beyond.get(fault),
    )


def _seen(fault: str, told: dict[str, str]) -> Seen:
    seen = Seen(without=told["without"], carrier=told["carrier"], with_fault=told["with"])
    if not seen.active:
        raise BadTrial(
            f"{fault}: expected a probe that sees the fault and nothing else, got {seen}"
        )
    return seen


def _trial(folder: str, asked: Sequence[str]) -> Trial:
    return Trial.model_validate(_answer(folder, "run", *asked))


def _answer(folder: str, *asked: str) -> Any:
    with TemporaryDirectory() as place:
        answer = Path(place, "answer.json")
        command = [
            f".venv-kits-{folder}/bin/python",
            "-m",
            "benchmarks.kits.trial",
            folder,
            str(answer),
            *asked,
        ]
        done = subprocess.run(  # noqa: S603 - our own module
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=_LONGEST,
            env=_surroundings(),
        )
        if not answer.exists():
            raise BadTrial(f"{' '.join(asked)}: expected an answer, got {done.stdout[-2_000:]}")
        return json.loads(answer.read_text(encoding="utf-8"))


def _surroundings() -> dict[str, str]:
    # Nothing that a user sets for pytest, and no telemetry of a kit's.
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("PYTEST")},
        "HAYSTACK_TELEMETRY_ENABLED": "False",
    }
