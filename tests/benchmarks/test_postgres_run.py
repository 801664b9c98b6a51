"""The command on PostgreSQL: one quick run on a real server, with all rows there."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from typing import Any, NamedTuple, get_args

import pytest
from benchmarks.peer import Operation
from benchmarks.postgres.__main__ import main
from benchmarks.postgres.crowd import Crowded
from benchmarks.postgres.peers import LANGGRAPH, OPENERS, OURS, RAW_POOL, installed
from benchmarks.postgres.run import TARGETS
from psycopg.conninfo import conninfo_to_dict

from memory_fidelity.adapters import postgres_cluster

_SIZE = 20
_STORES = {name for name in OPENERS if installed(name)}


class Run(NamedTuple):
    """What the command gave."""

    code: int
    tables: str
    messages: str
    written: dict[str, Any]
    databases: list[str]


@pytest.fixture(scope="module")
def run(servers: None, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Run the command once for all tests, on the pair that this process shares."""
    server = postgres_cluster.shared().primary
    target = tmp_path_factory.mktemp("benchmarks") / "figures.json"
    tables, messages = io.StringIO(), io.StringIO()
    command = ["--quick", "--size", str(_SIZE), "--operations", "30", "--json", str(target)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MEMORY_FIDELITY_POSTGRES", server.conninfo())
        with redirect_stdout(tables), redirect_stderr(messages):
            code = main(command)
    with server.connect() as connection:
        rows = connection.execute("SELECT datname FROM pg_database").fetchall()
    written = json.loads(target.read_text(encoding="utf-8"))
    return Run(code, tables.getvalue(), messages.getvalue(), written, [name for (name,) in rows])


def test_every_operation_of_every_store_is_timed(run: Run) -> None:
    """All stores gave the right answers first; LangGraph's is missing from some searches."""
    timed = run.written["nanoseconds"]

    assert run.code == 0
    assert timed.keys() == set(get_args(Operation))
    assert all(_STORES - {LANGGRAPH} <= stores.keys() <= _STORES for stores in timed.values())
    assert timed["retrieve"].keys() == _STORES


def test_many_tasks_at_once_are_timed(run: Run) -> None:
    """For the two stores whose connections are lent."""
    timed = run.written["crowd"]["nanoseconds"]

    assert timed.keys() == set(get_args(Crowded))
    assert {name for stores in timed.values() for name in stores} == {OURS, RAW_POOL}


def test_what_many_calls_leave_behind_is_counted(run: Run) -> None:
    """By the server, and in this process."""
    left = run.written["endurance"]

    assert left["operations"] == 30
    assert (left["after_closing"], left["tasks"]) == (0, 0)


def test_tables_have_every_row(run: Run) -> None:
    """Stores, operations and targets are all printed, and so is what was not measured."""
    rows = [*_STORES, *get_args(Operation), *(target.name for target in TARGETS)]

    assert [row for row in rows if row not in run.tables] == []
    assert [name for name in OPENERS if name not in run.tables + run.messages] == []


def test_no_database_is_left(run: Run) -> None:
    """What was measured in is gone."""
    assert [name for name in run.databases if "bench" in name] == []


def test_no_password_is_written(run: Run) -> None:
    """Neither in the tables nor in the file."""
    parts = conninfo_to_dict(postgres_cluster.shared().primary.conninfo())

    assert str(parts["password"]) not in json.dumps(run.written) + run.tables + run.messages
