"""`Rigged`: one fault at the door of a service that is otherwise left alone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from memory_fidelity.testing import (
    BreaksCalls,
    Call,
    CorruptsResponses,
    DelaysIndex,
    HangsCalls,
    HangsReads,
    Journal,
    RejectsWrites,
    Rigged,
    WithholdsIdentity,
)

Plant = Callable[[Rigged], Awaitable[None]]


class _Shelf:
    """A service of one function, that notes what it carried out."""

    def __init__(self) -> None:
        self.done: list[str] = []

    async def ask(self, operation: str, *carried: object) -> str:
        self.done.append(operation)
        return f"{operation} done"


def _door(
    rig: Rigged,
    shelf: _Shelf,
    refusal: str | Exception = "refused",
    loss: Exception | None = None,
) -> Callable[..., Awaitable[str]]:
    return rig.rigged(
        shelf.ask,
        writes={"put"},
        refusal=refusal,
        unidentified="no id",
        malformed={"get": "{"},
        loss=loss,
    )


def _replies(plant: Plant, *operations: str) -> tuple[list[str], list[str]]:
    """What the operations were answered with, and which of them were carried out."""
    rig, shelf = Rigged(), _Shelf()
    door = _door(rig, shelf)

    async def scenario() -> list[str]:
        await plant(rig)
        return [await door(operation) for operation in operations]

    return asyncio.run(scenario()), shelf.done


@pytest.mark.parametrize(
    "control",
    [
        BreaksCalls,
        CorruptsResponses,
        DelaysIndex,
        HangsCalls,
        HangsReads,
        Journal,
        RejectsWrites,
        WithholdsIdentity,
    ],
    ids=lambda control: control.__name__,
)
def test_it_is_a_control(control: type) -> None:
    """It has the methods of each control that it promises."""
    assert isinstance(Rigged(), control)


def test_nothing_is_planted_at_first() -> None:
    """A call goes through, and its reply comes back."""
    assert _replies(Rigged.delay_index, "put", "get") == (["put done", "get done"], ["put", "get"])


def test_every_call_is_in_the_journal() -> None:
    """A call shows its operation and what it carried, also where it was refused."""
    rig = Rigged()
    door = _door(rig, _Shelf())

    async def scenario() -> None:
        await door("get", "id", 7)
        await rig.reject_next_write()
        await door("put", "text")

    asyncio.run(scenario())

    assert rig.calls() == (Call("get", "id 7"), Call("put", "text"))


def test_a_refused_write_is_not_carried_out() -> None:
    """The reply is the refusal, once."""
    assert _replies(Rigged.reject_next_write, "get", "put", "put") == (
        ["get done", "refused", "put done"],
        ["get", "put"],
    )


def test_a_refusal_may_be_an_error() -> None:
    """An error given as refusal is raised."""
    rig = Rigged()
    door = _door(rig, _Shelf(), refusal=ValueError("full"))

    async def scenario() -> None:
        await rig.reject_next_write()
        await door("put")

    with pytest.raises(ValueError, match="full"):
        asyncio.run(scenario())


def test_a_withheld_identity_leaves_the_write_done() -> None:
    """The write is carried out, and its reply replaced, once."""
    assert _replies(Rigged.withhold_next_identity, "put", "put") == (
        ["no id", "put done"],
        ["put", "put"],
    )


def test_a_corrupt_reply_waits_for_a_read() -> None:
    """The reply to a write is left alone; that to the next read is malformed, once."""
    assert _replies(Rigged.corrupt_next_response, "put", "get", "get") == (
        ["put done", "{", "get done"],
        ["put", "get", "get"],
    )


@pytest.mark.parametrize(
    ("loss", "kind"),
    [(None, ConnectionResetError), (EOFError("gone"), EOFError)],
    ids=["the usual error", "the client's own error"],
)
def test_a_broken_call_is_carried_out(loss: Exception | None, kind: type[Exception]) -> None:
    """The service did it, and the caller is told that the connection was lost."""
    rig, shelf = Rigged(), _Shelf()
    door = _door(rig, shelf, loss=loss)

    async def scenario() -> None:
        await rig.break_next_call()
        await door("put")

    with pytest.raises(kind):
        asyncio.run(scenario())
    assert shelf.done == ["put"]


def test_a_broken_connection_is_whole_again() -> None:
    """The call after the broken one is answered."""
    rig = Rigged()
    door = _door(rig, _Shelf())

    async def scenario() -> str:
        await rig.break_next_call()
        with pytest.raises(ConnectionResetError):
            await door("get")
        return await door("get")

    assert asyncio.run(scenario()) == "get done"


def test_a_hanging_write_is_answered_in_the_end() -> None:
    """The reply is held back until it is let through."""
    rig = Rigged()
    door = _door(rig, _Shelf())

    async def scenario() -> tuple[bool, str]:
        await rig.hang_next_write()
        write = asyncio.ensure_future(door("put"))
        await door("get")
        waiting = not write.done()
        await rig.resume()
        return waiting, await write

    assert asyncio.run(scenario()) == (True, "put done")


def test_a_hanging_read_is_answered_in_the_end() -> None:
    """Its reply is held back, and that of a write is not."""
    rig = Rigged()
    door = _door(rig, _Shelf())

    async def scenario() -> tuple[bool, str]:
        await rig.hang_next_read()
        read = asyncio.ensure_future(door("get"))
        await door("put")
        waiting = not read.done()
        await rig.resume()
        return waiting, await read

    assert asyncio.run(scenario()) == (True, "get done")


def test_other_operations_are_left_alone() -> None:
    """A call that neither reads nor writes items does not spend a fault."""
    assert _replies(Rigged.reject_next_write, "wipe", "put") == (["wipe done", "refused"], ["wipe"])
