"""Native errors become one of the typed ones; cancellation passes through (E2 to E6)."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Coroutine, Generator, Iterator
from typing import Any, NoReturn
from uuid import UUID

import pytest
from tests.adapter.shelf import Shelf

from memory_fidelity import (
    MemoryAdapterError,
    MemoryAdapterUnavailable,
    MemoryItem,
    MemoryQuery,
    Record,
    Search,
    UnsupportedMemoryItem,
    UnsupportedMemoryQuery,
)

_SECRET = "postgres://ada:hunter2@db"  # noqa: S105 - shows that it does not leak
Operation = Callable[[Shelf], Coroutine[Any, Any, object]]


class _Panic(BaseException):
    """What a native library raises where it gives up, outside `Exception`."""


class _Overloaded(Exception):
    """A client's own word for a service that cannot be used."""


class _Panicking(Shelf):
    native_errors = (Exception, _Panic)


class _PanickingOutages(Shelf):
    native_errors = (Exception, _Panic)
    outages = (OSError, _Panic, _Overloaded)


class _CatchingAll(Shelf):
    native_errors = (BaseException,)


def _store(shelf: Shelf) -> Coroutine[Any, Any, object]:
    return shelf.store(MemoryItem(content="tea"))


def _retrieve(shelf: Shelf) -> Coroutine[Any, Any, object]:
    return shelf.retrieve(UUID(int=7))


def _search(shelf: Shelf) -> Coroutine[Any, Any, object]:
    return shelf.search(MemoryQuery())


_OPERATIONS = [
    pytest.param(_store, "store", id="store"),
    pytest.param(_retrieve, "retrieve", id="retrieve"),
    pytest.param(_search, "search", id="search"),
]
_UNNAMED_OPERATIONS = [_store, _retrieve, _search]


def _failing(shelf: Shelf, error: BaseException) -> Shelf:
    def fail(argument: object) -> NoReturn:
        raise error

    shelf.on_store = shelf.on_retrieve = shelf.on_search = fail
    return shelf


@pytest.mark.parametrize(("operation", "name"), _OPERATIONS)
@pytest.mark.parametrize(
    "error",
    [
        pytest.param(ConnectionRefusedError(_SECRET), id="refused"),
        pytest.param(ConnectionResetError(_SECRET), id="reset"),
        pytest.param(TimeoutError(_SECRET), id="timeout"),
        pytest.param(OSError(_SECRET), id="operating system"),
        pytest.param(
            ExceptionGroup(_SECRET, [LookupError(), ExceptionGroup("", [ConnectionError()])]),
            id="gathered by a task group",
        ),
    ],
)
def test_an_outage_is_unavailable(operation: Operation, name: str, error: Exception) -> None:
    """No operation answers in place of a service that cannot be reached (E3, C15)."""
    shelf = _failing(Shelf(), error)

    with pytest.raises(
        MemoryAdapterUnavailable,
        match=rf"^shelf: {name}: expected the service to answer, got {type(error).__name__}",
    ) as caught:
        asyncio.run(operation(shelf))

    assert caught.value.__cause__ is error
    assert _SECRET not in str(caught.value)


@pytest.mark.parametrize(("operation", "name"), _OPERATIONS)
def test_any_other_native_error_is_an_adapter_error(operation: Operation, name: str) -> None:
    """The native error is the cause, and its text stays there (E2)."""
    error = LookupError(_SECRET)
    shelf = _failing(Shelf(), error)

    with pytest.raises(
        MemoryAdapterError, match=rf"^shelf: {name}: expected a valid answer, got LookupError$"
    ) as caught:
        asyncio.run(operation(shelf))

    assert type(caught.value) is MemoryAdapterError
    assert caught.value.__cause__ is error


def test_an_outage_during_a_write_says_what_is_unknown() -> None:
    """Nobody can tell whether a write arrived, and the error does not pretend to (W5)."""
    with pytest.raises(MemoryAdapterUnavailable, match=r"whether the item was written is unknown$"):
        asyncio.run(_store(_failing(Shelf(), OSError())))


@pytest.mark.parametrize("operation", _UNNAMED_OPERATIONS)
def test_the_native_operation_is_asked_once(operation: Operation) -> None:
    """There is no retry and no fallback (W5, E5)."""
    shelf = _failing(Shelf(), OSError())

    with pytest.raises(MemoryAdapterUnavailable):
        asyncio.run(operation(shelf))

    assert len(shelf.sent) == 1


@pytest.mark.parametrize("operation", _UNNAMED_OPERATIONS)
@pytest.mark.parametrize(
    "error",
    [
        pytest.param(MemoryAdapterUnavailable("acme: closed"), id="unavailable"),
        pytest.param(UnsupportedMemoryItem("content", "too long"), id="item"),
        pytest.param(UnsupportedMemoryQuery(["user"]), id="query"),
    ],
)
def test_a_typed_error_of_a_native_operation_stays_as_it_is(
    operation: Operation, error: MemoryAdapterError
) -> None:
    """A subclass that knows better is believed."""
    with pytest.raises(MemoryAdapterError) as caught:
        asyncio.run(operation(_failing(Shelf(), error)))

    assert caught.value is error


@pytest.mark.parametrize("operation", _UNNAMED_OPERATIONS)
def test_a_panic_that_is_listed_is_translated(operation: Operation) -> None:
    """Native libraries that panic outside `Exception` can be declared (E2)."""
    panic = _Panic(_SECRET)

    with pytest.raises(MemoryAdapterError, match=r"got _Panic$") as caught:
        asyncio.run(operation(_failing(_Panicking(), panic)))

    assert caught.value.__cause__ is panic


def test_a_panic_that_is_not_listed_passes() -> None:
    """What nobody declared is nobody's to translate."""
    with pytest.raises(_Panic):
        asyncio.run(_retrieve(_failing(Shelf(), _Panic())))


@pytest.mark.parametrize("error", [_Panic(), _Overloaded()], ids=["panic", "own error"])
def test_an_error_that_is_listed_as_an_outage_is_one(error: BaseException) -> None:
    """A client's own errors can mean that the service cannot be used (E3)."""
    with pytest.raises(MemoryAdapterUnavailable):
        asyncio.run(_retrieve(_failing(_PanickingOutages(), error)))


def _lazily_failing(search: Search) -> Iterator[Record]:
    yield Record(UUID(int=7), "tea", [], 0.0, {})
    raise ConnectionResetError


def test_hits_that_fail_while_they_are_read_are_an_outage() -> None:
    """A lazy answer is read where its errors are translated (E3)."""
    shelf = Shelf()
    shelf.on_search = _lazily_failing

    with pytest.raises(MemoryAdapterUnavailable, match=r"got ConnectionResetError$"):
        asyncio.run(_search(shelf))


def test_an_answer_that_holds_no_hits_is_an_error() -> None:
    """A search that returns no iterable is a typed error, not a `TypeError` (E4)."""
    shelf = Shelf()
    shelf.on_search = lambda search: None

    with pytest.raises(MemoryAdapterError, match=r"got TypeError$"):
        asyncio.run(_search(shelf))


@pytest.mark.parametrize("shelf_type", [Shelf, _CatchingAll])
@pytest.mark.parametrize("operation", _UNNAMED_OPERATIONS)
@pytest.mark.parametrize("error_type", [asyncio.CancelledError, KeyboardInterrupt, SystemExit])
def test_the_end_of_a_task_is_never_translated(
    error_type: type[BaseException], operation: Operation, shelf_type: type[Shelf]
) -> None:
    """Cancellation passes, even where an adapter lists `BaseException` (E6)."""
    error = error_type()
    coroutine = operation(_failing(shelf_type(), error))

    with pytest.raises(error_type) as caught:
        coroutine.send(None)

    assert caught.value is error


class _Never:
    def __await__(self) -> Generator[None, None, NoReturn]:
        while True:
            yield


class _Waiting(Shelf):
    """A service that does not answer, and an adapter that lists every error there is."""

    native_errors = (BaseException,)

    def __init__(self) -> None:
        super().__init__()
        self.reached = asyncio.Event()

    async def native_store(self, record: Record) -> NoReturn:
        """Wait for ever."""
        self.reached.set()
        await _Never()


def test_a_cancelled_write_ends_as_cancelled() -> None:
    """The caller's cancellation is what the caller sees (E6)."""

    async def scenario() -> asyncio.Task[UUID]:
        shelf = _Waiting()
        task = asyncio.create_task(shelf.store(MemoryItem(content="tea")))
        await shelf.reached.wait()
        task.cancel()
        await asyncio.wait([task])
        return task

    assert asyncio.run(scenario()).cancelled()


def test_a_write_that_is_abandoned_closes_quietly() -> None:
    """Closing an operation that nobody awaits any more is not an error to translate (E6)."""
    operation = _Waiting().store(MemoryItem(content="tea"))
    operation.send(None)

    operation.close()

    assert inspect.getcoroutinestate(operation) == inspect.CORO_CLOSED
