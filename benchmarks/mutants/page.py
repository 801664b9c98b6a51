"""The page of the mutants: how many were killed, and why each survivor is one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from benchmarks.mutants.plan import MODULES
from benchmarks.mutants.running import Mutant

__all__ = ["page"]

_HEAD = """\
# Mutants of the product's own source

`make mutants` changes the source of four modules in one place at a time with
[cosmic-ray](https://cosmic-ray.readthedocs.io), and runs their tests on each change. Changes in
annotations are left out: they are never evaluated. Each survivor is listed with the reason why no
test can, or need, notice it.
"""


def page(mutants: Sequence[Mutant], reasons: Sequence[dict[str, Any]]) -> tuple[str, list[str]]:
    """Return the page, and what is wrong with the list of survivors.

    A reason names the module, the line as it is written, and the operator's first part;
    it holds for every mutant that matches all three.
    """
    survivors = [mutant for mutant in mutants if not mutant.killed]
    lines = [_HEAD, "| module | mutants | killed | survived |", "|---|---|---|---|"]
    lines += _counts(mutants)
    lines += ["", "| module | line | operator | why it survives |", "|---|---|---|---|"]
    faults = []
    used: set[int] = set()
    for mutant in survivors:
        match [number for number, reason in enumerate(reasons) if _fits(reason, mutant)]:
            case [number, *_]:
                used.add(number)
                why = str(reasons[number]["why"])
            case _:
                why = "**no reason is given**"
                faults.append(f"{mutant.module}:{mutant.line} {mutant.operator}: {mutant.before}")
        lines.append(
            f"| `{_short(mutant.module)}` | `{mutant.before}` | {mutant.operator} | {why} |"
        )
    faults += [
        f"{reason['module']}: no mutant survives in: {reason['line']}"
        for number, reason in enumerate(reasons)
        if number not in used
    ]
    return "\n".join(lines) + "\n", faults


def _counts(mutants: Sequence[Mutant]) -> Iterator[str]:
    for module in MODULES:
        own = [mutant for mutant in mutants if mutant.module == module.path]
        killed = sum(mutant.killed for mutant in own)
        share = f"{killed} ({100 * killed / len(own):.1f} %)" if own else "0"
        yield f"| `{_short(module.path)}` | {len(own)} | {share} | {len(own) - killed} |"


def _fits(reason: dict[str, Any], mutant: Mutant) -> bool:
    return (
        mutant.module.endswith(reason["module"])
        and mutant.before == reason["line"]
        and mutant.operator.startswith(reason.get("operator", ""))
    )


def _short(path: str) -> str:
    return path.removeprefix("src/memory_fidelity/")
