"""What processes of one fake tell one another by files is read whole, whenever it is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_fidelity.fake.khive.state import FAULTS, Fault, State


@pytest.fixture
def state(tmp_path: Path) -> State:
    """What the processes of a fake share, in a folder of its own."""
    return State(tmp_path)


def test_a_call_whose_line_is_being_written_is_none_yet(state: State, tmp_path: Path) -> None:
    """Another process may read the journal at any moment; a part of a line is not a call."""
    state.note("get", '{"id": "\u2028"}')
    (journal,) = tmp_path.iterdir()
    whole = journal.read_bytes()

    for length in range(len(whole)):
        journal.write_bytes(whole + whole[:length])
        assert state.noted() == [("get", '{"id": "\u2028"}')]


def test_no_call_is_noted_at_first(state: State) -> None:
    """There is no journal before the first call."""
    assert state.noted() == []


@pytest.mark.parametrize(("fault", "verb"), [("hang", "update"), ("hang a read", "get")])
def test_a_hang_begins_in_one_step(
    state: State, monkeypatch: pytest.MonkeyPatch, fault: Fault, verb: str
) -> None:
    """A `resume` between two steps would let nothing through, and the reply be held for ever."""
    state.plant(fault)
    monkeypatch.setattr(Path, "touch", lambda _path: state.resume())

    assert state.claims(fault, verb)
    assert state.hangs


@pytest.mark.parametrize("fault", ["hang", "hang a read"])
def test_a_hang_that_did_not_begin_is_planted_no_more(state: State, fault: Fault) -> None:
    """After `resume`, no call hangs that comes later."""
    state.plant(fault)

    state.resume()

    assert not any(state.claims(fault, verb) for verb in FAULTS[fault])
