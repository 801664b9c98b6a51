"""What was observed of a store as plain text, for a terminal of 80 columns."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import Any

from memory_fidelity.testing.observed import Observed, ObservedField
from memory_fidelity.testing.rendering.text import WIDTH
from memory_fidelity.testing.rendering.wording import printable

__all__ = ["observed_text"]


def observed_text(observed: Observed) -> str:
    """Return the strongest true manifest with its evidence, and what separates the declared one."""
    return "\n".join(_lines(observed)) + "\n"


def _lines(observed: Observed) -> Iterator[str]:
    yield printable(f"{observed.store}: the strongest manifest that is true of it")
    for field in observed.fields:
        yield ""
        yield from _wrapped(f"{field.field}: {_shown(field.value)}", "  ", 4)
        for line in field.evidence:
            yield from _wrapped(printable(line), "      ", 8)
    for note in observed.notes:
        yield ""
        yield from _wrapped(printable(f"NOTE {note}"), "  ", 4)
    if observed.breaches:
        yield ""
        yield "  What no manifest allows:"
    for finding in observed.breaches:
        yield from _wrapped(printable(f"FAIL {finding.subject}: {finding.observed}"), "  ", 4)
        yield from _wrapped(printable(f"change: {finding.change}"), "      ", 8)
    yield ""
    yield printable(f"run again: {observed.reproduce}")
    yield from _declared_lines(observed)


def _declared_lines(observed: Observed) -> Iterator[str]:
    if observed.manifest is None:
        yield "no manifest can be true of this store"
    elif observed.declared is None:
        yield "it declares no manifest"
    elif not observed.differences:
        yield "declared: the same, in all nine fields"
    else:
        yield f"declared otherwise: {len(observed.differences)} of 9 fields"
        for field in observed.differences:
            yield from _wrapped(_separation(field), "  ", 4)


def _separation(field: ObservedField) -> str:
    return f"{field.field}: declared {_shown(field.declared)}, observed {_shown(field.value)}"


def _shown(value: Any) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case list():
            return printable(", ".join(map(str, value)) or "none")
        case _:
            return printable(str(value))


def _wrapped(text: str, indent: str, hang: int) -> list[str]:
    return wrap(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=" " * hang,
        break_on_hyphens=False,
    )
