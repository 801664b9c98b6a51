"""The command: one quick run of everything, with all rows there."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple, get_args

import pytest
from benchmarks.__main__ import main
from benchmarks.peer import Operation
from benchmarks.peers import IN_MEMORY, OURS, RAW_DIRECT, chosen
from benchmarks.targets import TARGETS

ROOT = Path(__file__).parents[2]

_SIZE = 20


class Run(NamedTuple):
    """What the command gave."""

    code: int
    tables: str
    messages: str
    written: dict[str, Any]
    files: list[str]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Run the command once for all tests."""
    place = tmp_path_factory.mktemp("benchmarks")
    target = place / "figures.json"
    tables, messages = io.StringIO(), io.StringIO()
    with redirect_stdout(tables), redirect_stderr(messages):
        code = main(["--quick", "--sizes", str(_SIZE), "--check", "--json", str(target)])
    written = json.loads(target.read_text(encoding="utf-8"))
    files = [path.name for path in place.iterdir()]
    return Run(code, tables.getvalue(), messages.getvalue(), written, files)


def test_every_operation_of_every_store_is_timed(run: Run) -> None:
    """A store is missing only from the searches that it does not have."""
    timed = run.written["sizes"][str(_SIZE)]["nanoseconds"]
    complete = set(chosen(_SIZE)) - {name for name in chosen(_SIZE) if "LangGraph" in name}

    assert timed.keys() == set(get_args(Operation))
    assert {name for stores in timed.values() for name in stores} == set(chosen(_SIZE))
    assert all(complete <= stores.keys() for stores in timed.values())


def test_every_other_store_is_compared_with_ours(run: Run) -> None:
    """There is a ratio wherever there is a time."""
    figures = run.written["sizes"][str(_SIZE)]

    assert {operation: set(stores) for operation, stores in figures["ratios"].items()} == {
        operation: set(stores) - {OURS} for operation, stores in figures["nanoseconds"].items()
    }


def test_every_store_has_a_footprint(run: Run) -> None:
    """Memory for each; disk and reopening for those that keep anything."""
    footprints = run.written["sizes"][str(_SIZE)]["footprints"]

    assert set(footprints) == set(chosen(_SIZE)) - {RAW_DIRECT}
    assert footprints[OURS]["disk"] > 0
    assert footprints[OURS]["reopened"] > 0
    assert footprints[IN_MEMORY]["reopened"] is None


def test_what_has_no_size_is_measured(run: Run) -> None:
    """The contract layer, imports and the suite."""
    assert min(run.written["layer_microseconds_per_item"].values()) > 0
    assert min(run.written["import_milliseconds"].values()) > 0
    assert min(run.written["suite_seconds"].values()) > 0


def test_tables_have_every_row(run: Run) -> None:
    """Stores, operations and targets are all printed."""
    rows = [*chosen(_SIZE), *get_args(Operation), *(target.name for target in TARGETS)]

    assert [row for row in rows if row not in run.tables] == []


def test_check_names_what_was_not_measured(run: Run) -> None:
    """With a small size there are targets without figures, and that is no success."""
    named = [target.name for target in TARGETS if "100k" in target.name or "1M" in target.name]

    assert run.code != 0
    assert [name for name in named if f"not measured: {name}" not in run.messages] == []


def test_nothing_is_left_but_the_figures(run: Run) -> None:
    """The stores' files are gone."""
    assert run.files == ["figures.json"]


def test_figures_can_be_traced(run: Run) -> None:
    """The seed, the plan and the versions are written beside them."""
    conditions = run.written["conditions"]

    assert conditions["seed"] == 1
    assert conditions["plan"]["rounds"] == 1
    assert conditions["versions"]["lionagi"]


@pytest.mark.parametrize("size", ["0", "-1"])
def test_sizes_are_positive(size: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Anything else is a usage error."""
    with pytest.raises(SystemExit) as stopped:
        main(["--sizes", size])

    assert stopped.value.code == 2
    assert "expected 1 or more" in capsys.readouterr().err


_PINNING = """
import os
from benchmarks.command_line import pin
first = min(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None
if first is not None:
    pin(first)
    assert os.sched_getaffinity(0) == {first}
pin(1_000_000)
"""


def test_a_processor_is_kept_or_refused() -> None:
    """Everything runs on the one that is asked for; one that cannot be had is said so."""
    ended = subprocess.run(
        [sys.executable, "-c", _PINNING], capture_output=True, text=True, check=False, cwd=ROOT
    )

    assert ended.returncode == 1
    assert ended.stderr.startswith("--processor: expected")
