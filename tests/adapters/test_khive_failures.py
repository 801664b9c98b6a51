"""What a khive store does when khive fails, or answers what is not khive's."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

import pytest
from tests.adapters.khive_scene import raised
from tests.adapters.khive_script import answered, on_script, refused, said

from memory_fidelity import (
    MemoryAdapterError,
    MemoryAdapterUnavailable,
    MemoryItem,
    UnsupportedMemoryQuery,
    memory_query,
)
from memory_fidelity.adapters._khive_calls import KhiveRefused, KhiveUnusable
from memory_fidelity.adapters.khive import KhiveMemoryStore
from memory_fidelity.adapters.mcp_session import McpRefused

Operation = Callable[[KhiveMemoryStore], Awaitable[object]]

ITEM: Final = MemoryItem(content="tea", tags=["taste"])
OPERATIONS: Final[dict[str, Operation]] = {
    "store": lambda store: store.store(ITEM),
    "retrieve": lambda store: store.retrieve(ITEM.id),
    "search": lambda store: store.search(memory_query(text="tea")),
    "search_without_text": lambda store: store.search(memory_query()),
}
EACH: Final = pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)


def failure(operation: Operation, *answers: dict[str, Any]) -> MemoryAdapterError:
    """The error of an operation on a khive that gives these answers, one to each request."""
    return on_script(lambda store: raised(operation(store)), *answers)


MALFORMED: Final[dict[str, dict[str, Any]]] = {
    "no_json": answered("tea"),
    "another_text": answered("[]"),
    "results_missing": answered("{}"),
    "results_null": answered('{"results": null}'),
    "no_result": said(),
    "too_many_results": said([], []),
    "result_no_mapping": answered('{"results": [7]}'),
    "ok_missing": answered('{"results": [{"result": []}]}'),
    "ok_without_result": answered('{"results": [{"ok": true}]}'),
    "refused_without_error": answered('{"results": [{"ok": false}]}'),
    "result_null": said(None),
    "result_of_another_type": said(7),
    "no_content": {"result": {"content": [], "isError": False}},
    "image": {
        "result": {
            "content": [{"type": "image", "data": "AA==", "mimeType": "image/png"}],
            "isError": False,
        }
    },
    "protocol_error": {
        "error": {"code": -32602, "message": "hunter-2", "data": {"reason": "parse-error"}}
    },
}


@EACH
@pytest.mark.parametrize("answer", MALFORMED.values(), ids=MALFORMED)
def test_an_answer_that_is_not_khives_is_an_error(
    operation: Operation, answer: dict[str, Any]
) -> None:
    """A `MemoryAdapterError` with its cause, never an empty answer (E4)."""
    error = failure(operation, answer)

    assert type(error) is MemoryAdapterError
    assert error.__cause__ is not None
    assert "hunter-2" not in str(error)


UNUSABLE: Final[dict[str, Any]] = {
    "storage": "storage: unable to open database file hunter-2",
    "internal": "internal: EmbedderProvider failed hunter-2",
    "unavailable": {"kind": "unavailable", "code": "writer_task_begin_busy", "retryable": True},
    "unavailable_for_good": {"kind": "unavailable", "message": "hunter-2", "retryable": False},
    "retryable": {"kind": "busy", "message": "hunter-2", "retryable": True},
}
REFUSED: Final[dict[str, Any]] = {
    "invalid": "invalid input: hunter-2",
    "blocked": "write blocked: content matches secret pattern hunter-2",
    "query": "query: parse error at position 0: hunter-2",
    "ambiguous": "ambiguous: hunter-2",
    "object": {"kind": "invalid", "message": "hunter-2", "retryable": False},
    "empty_object": {},
    "null": None,
    "number": 7,
}


@EACH
@pytest.mark.parametrize("error", UNUSABLE.values(), ids=UNUSABLE)
def test_a_khive_that_cannot_work_is_unavailable(operation: Operation, error: Any) -> None:
    """In whichever form khive says so; its own words are left to the cause (E3)."""
    raised_by = failure(operation, refused(error))

    assert type(raised_by) is MemoryAdapterUnavailable
    assert type(raised_by.__cause__) is KhiveUnusable
    assert "hunter-2" not in str(raised_by)


@EACH
@pytest.mark.parametrize("error", REFUSED.values(), ids=REFUSED)
def test_a_refusal_is_an_error(operation: Operation, error: Any) -> None:
    """It is not taken for an outage, and its words are left to the cause (E2)."""
    raised_by = failure(operation, refused(error))

    assert type(raised_by) is MemoryAdapterError
    assert type(raised_by.__cause__) is KhiveRefused
    assert "hunter-2" not in str(raised_by)


@EACH
def test_an_end_without_reply_is_unavailable(operation: Operation) -> None:
    """The process ends at the first call after the start."""
    assert type(failure(operation)) is MemoryAdapterUnavailable


def test_an_outage_of_a_write_leaves_the_outcome_open() -> None:
    """The error says that it is unknown whether the item was written (W5)."""
    error = failure(OPERATIONS["store"], refused(UNUSABLE["storage"]))

    assert str(error) == (
        "khive: store: expected the service to answer, got KhiveUnusable; "
        "whether the item was written is unknown"
    )


@pytest.mark.parametrize(
    "recalled",
    [
        pytest.param({"results": [], "truncated": True}, id="mapping"),
        pytest.param([{"id": "a", "truncated": True}], id="flagged"),
        pytest.param([{"id": "a"}, {"id": "b", "truncated": True}], id="one-flagged"),
    ],
)
def test_a_cut_answer_is_an_error(recalled: Any) -> None:
    """What khive left out of an answer is not what it does not have (Q5)."""
    error = failure(OPERATIONS["search"], said(recalled))

    assert type(error) is MemoryAdapterError
    assert str(error.__cause__) == "expected every hit, got an answer that khive has cut"


def test_a_query_that_khive_refuses_is_unsupported() -> None:
    """By either of khive's reasons, with the refusal as the cause."""
    reason = "invalid input: query must not be empty"

    error = failure(OPERATIONS["search"], refused(reason))

    assert isinstance(error, UnsupportedMemoryQuery)
    assert (error.rejected_keys, str(error.__cause__)) == (("text",), reason)


def test_an_error_of_the_protocol_has_its_cause() -> None:
    """What the service sent stands in the chain, below what the session made of it."""
    error = failure(OPERATIONS["retrieve"], MALFORMED["protocol_error"])

    assert isinstance(error.__cause__, McpRefused)
    assert "hunter-2" in str(error.__cause__.__cause__)
