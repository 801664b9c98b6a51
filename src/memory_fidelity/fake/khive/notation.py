"""khive's own notation of calls: one, several in brackets, or a chain of them.

    get(id="x")    [get(id="x"), verbs()]    get(id="x") | delete(id=$prev.id)

In a chain a text that looks like a reference to the result before is one. That
is khive's way, and why nothing that a caller wrote should be sent like this.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Final

from .fields import Refused

__all__ = ["REFERENCE", "Call", "Malformed", "Reference", "integer", "noted_calls", "resolved"]

REFERENCE: Final = re.compile(r"\$prev(\Z|[.\[])")
"""How a text begins that is a reference."""

_VERB: Final = re.compile(r"\s*([A-Za-z_][\w.]*)\s*\(\s*")
_NAME: Final = re.compile(r"\s*([A-Za-z_]\w*)\s*=\s*")
_BARE: Final = re.compile(r"\$prev(?:\.\w+|\[\d+\])*")
_STEP: Final = re.compile(r"\.(\w+)|\[(\d+)\]")
_ESCAPED: Final = re.compile(r"\\(?=\$prev(?:\Z|[.\[]))")
"""A backslash that keeps a text from being a reference, and is lost."""
_BLANK: Final = re.compile(r"\s*")

Call = tuple[str, dict[str, Any]]
"""A verb, and its arguments."""


class Malformed(ValueError):
    """A request that cannot be read at all; nothing of it is carried out."""

    def __init__(self, message: str, reason: str | None = "parse-error") -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Reference:
    """A part of the result of the call before."""

    text: str

    def of(self, result: Any) -> Any:
        """Return the part of a result.

        Raises:
            Refused: there is none.
        """
        steps = _STEP.findall(self.text)
        if not steps and isinstance(result, dict):
            raise Refused(_unresolved(f"{self.text} requires a dotted path", "bare_ref_ambiguous"))
        try:
            for name, index in steps:
                result = result[name] if name else result[int(index)]
        except (KeyError, IndexError, TypeError) as error:
            missing = _unresolved(f"{self.text}: there is none", "path_not_found")
            raise Refused(missing) from error
        return result


def noted_calls(text: str) -> list[Call]:
    """Return the calls of a request in khive's notation.

    Raises:
        Malformed: it cannot be read.
    """
    reading = _Reading(text)
    if text.lstrip().startswith("["):
        found, chained = reading.batch(), False
    else:
        found = reading.chain()
        chained = len(found) > 1
    return [(verb, _promoted(arguments, chained)) for verb, arguments in found]


def resolved(value: Any, result: Any) -> Any:
    """Return arguments with the parts of the result before in place of references to it.

    Raises:
        Refused: one refers to what is not there.
    """
    match value:
        case Reference():
            return value.of(result)
        case dict():
            return {name: resolved(part, result) for name, part in value.items()}
        case list():
            return [resolved(part, result) for part in value]
        case _:
            return value


def integer(digits: str) -> int | float:
    """What khive reads digits as: beyond 64 bits it is a float."""
    value = int(digits)
    return value if -(2**63) <= value < 2**64 else float(digits)


class _Reading:
    """Reads a text from its beginning on."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0
        self._decoder = json.JSONDecoder(parse_int=integer)

    def batch(self) -> list[Call]:
        self._take("[")
        found = [self._call()]
        while self._next(","):
            found.append(self._call())
        self._take("]")
        self._end()
        return found

    def chain(self) -> list[Call]:
        found = [self._call()]
        while self._next("|"):
            found.append(self._call())
        self._end()
        return found

    def _call(self) -> Call:
        verb = self._matched(_VERB, "a verb and its arguments")
        arguments: dict[str, Any] = {}
        while not self._next(")"):
            if arguments:
                self._take(",")
            name = self._matched(_NAME, "a named argument")
            if name in arguments:
                raise Malformed(f'duplicate argument "{name}"')
            arguments[name] = self._value()
        return verb, arguments

    def _value(self) -> Any:
        bare = _BARE.match(self._text, self._place)
        if bare is not None:
            self._place = bare.end()
            return Reference(bare[0])
        try:
            value, self._place = self._decoder.raw_decode(self._text, self._place)
        except (ValueError, RecursionError) as error:
            raise Malformed(f"at position {self._place}: invalid value") from error
        return value

    def _matched(self, pattern: re.Pattern[str], expected: str) -> str:
        found = pattern.match(self._text, self._place)
        if found is None:
            raise Malformed(f"at position {self._place}: expected {expected}")
        self._place = found.end()
        return found[1]

    def _next(self, mark: str) -> bool:
        blank = _BLANK.match(self._text, self._place)
        place = self._place if blank is None else blank.end()
        if self._text[place : place + 1] != mark:
            return False
        self._place = place + 1
        return True

    def _take(self, mark: str) -> None:
        if not self._next(mark):
            raise Malformed(f"at position {self._place}: expected '{mark}'")

    def _end(self) -> None:
        if self._text[self._place :].strip():
            raise Malformed(f"at position {self._place}: expected '|' or end of input")


def _promoted(value: Any, chained: bool) -> Any:
    match value:
        case dict():
            return {name: _promoted(part, chained) for name, part in value.items()}
        case list():
            return [_promoted(part, chained) for part in value]
        case str() if REFERENCE.match(value):
            return _promoted(Reference(value), chained)
        case str():
            return value[1:] if _ESCAPED.match(value) else value
        case Reference() if not chained:
            raise Malformed("$prev reference is only valid in chain (|) mode")
        case _:
            return value


def _unresolved(message: str, reason: str) -> dict[str, str]:
    return {"kind": "substitution_error", "message": message, "reason": reason}
