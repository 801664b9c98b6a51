"""Calls of khive's verbs: how they are written, and what their answers mean."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from memory_fidelity.adapters.mcp_session import Ask

__all__ = [
    "MOST_BYTES",
    "Call",
    "KhiveConflict",
    "KhiveNotFound",
    "KhiveRefused",
    "KhiveUnusable",
    "asked",
    "asked_each",
    "ops",
]

MOST_BYTES: Final = 1_048_576
"""What khive takes as one request, in UTF-8."""

Call = tuple[str, dict[str, Any]]
"""A verb and its arguments."""

_UNUSABLE: Final = ("storage:", "internal:")
"""How khive's errors begin that are not about the call, but about the service."""


class KhiveRefused(Exception):
    """khive read a call and refused it; the text is khive's own."""


class KhiveNotFound(KhiveRefused):
    """There is no record of this native id, or not any more."""


class KhiveConflict(KhiveRefused):
    """Another writer changed the record meanwhile; nothing of the call was written."""


class KhiveUnusable(OSError):
    """khive cannot work at the moment; whether a write happened is unknown."""


_KINDS: Final[dict[str, type[KhiveRefused]]] = {
    "conflict:": KhiveConflict,
    "not found:": KhiveNotFound,
}


def ops(calls: Sequence[Call]) -> str:
    """Return the calls of one request in khive's JSON form.

    In it, what stands in an argument cannot become part of a call, and nothing
    is escaped that khive would have to count twice.
    """
    return json.dumps(
        [{"tool": verb, "args": arguments} for verb, arguments in calls], ensure_ascii=False
    )


async def asked(ask: Ask, *calls: Call) -> list[Any]:
    """Make the calls in one request, and return their results in order.

    khive runs them side by side, so none may depend on another.

    Raises:
        KhiveRefused: one of them was refused; others may have been carried out.
        KhiveUnusable: khive could not carry one of them out.
        KeyError, TypeError, ValueError: the answer is not khive's.
    """
    results = await asked_each(ask, *calls)
    for result in results:
        if isinstance(result, Exception):
            raise result
    return results


async def asked_each(ask: Ask, *calls: Call) -> list[Any]:
    """Do the same, with an error in the place of each result that is one."""
    # Unless told otherwise, khive shortens identities and leaves out what is empty.
    text = await ask("request", {"ops": ops(calls), "presentation": "verbose"})
    results = json.loads(text)["results"]
    if len(results) != len(calls):
        raise ValueError(f"expected {len(calls)} results, got {len(results)}")
    return [_result(result) for result in results]


def _result(result: dict[str, Any]) -> Any:
    return result["result"] if result["ok"] is True else _error(result["error"])


def _error(error: Any) -> Exception:
    """What khive gives as a text, or as an object with a kind."""
    if isinstance(error, dict):
        text = str(error.get("message", error.get("code", "")))
        if error.get("kind") == "unavailable" or error.get("retryable") is True:
            return KhiveUnusable(text)
    else:
        text = str(error)
    if text.startswith(_UNUSABLE):
        return KhiveUnusable(text)
    for beginning, kind in _KINDS.items():
        if text.startswith(beginning):
            return kind(text)
    return KhiveRefused(text)
