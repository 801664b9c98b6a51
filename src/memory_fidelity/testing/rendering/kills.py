"""A kill report as plain text, for a terminal of 80 columns: the survivors first."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from textwrap import wrap
from typing import Final

from memory_fidelity.testing.kills import FaultResult, Killing, KillReport
from memory_fidelity.testing.rendering.text import WIDTH
from memory_fidelity.testing.rendering.wording import printable

__all__ = ["MEANINGS", "case_families", "kills_text", "tally"]

MEANINGS: Final[dict[Killing, str]] = {
    "survived": "no case failed",
    "inert": "the fault changes nothing that can be seen here",
    "misnamed": "the suite failed, and not as it should",
    "killed": "the case that is meant for it names what is false",
    "not applicable": "there is nothing to spoil",
}

_ADVICE: Final = (
    "A survivor is a gap: in a fake that does not model what the fault spoils, or in the suite."
)


def kills_text(report: KillReport) -> str:
    """Return what was not killed, then the matrix, then what it adds up to."""
    return "\n".join(_lines(report)) + "\n"


def tally(report: KillReport) -> str:
    """Return how many faults there are of each ending, the worst first."""
    counts = ((killing, len(report.of(killing))) for killing in MEANINGS)
    return ", ".join(f"{count} {killing}" for killing, count in counts if count)


def case_families(report: KillReport) -> dict[str, tuple[str, ...]]:
    """The cases by the first part of their ids, in the order of the suite."""
    families: dict[str, tuple[str, ...]] = {}
    for case in report.cases:
        family = case.partition(".")[0]
        families[family] = (*families.get(family, ()), case)
    return families


def _lines(report: KillReport) -> Iterator[str]:
    yield printable(f"{report.adapter}: {len(report.results)} faults against suite {report.suite}")
    for killing in ("survived", "inert", "misnamed"):
        for result in report.of(killing):
            yield ""
            yield from _open_lines(result)
    if report.of("survived"):
        yield ""
        yield from _wrapped(_ADVICE)
    yield ""
    yield from _matrix_lines(report)
    yield from _inapplicable_lines(report)
    yield ""
    yield printable(f"run again: {report.reproduce}")
    yield f"{tally(report)} in {report.seconds:.1f} s"


def _open_lines(result: FaultResult) -> Iterator[str]:
    yield from _wrapped(f"{result.killing.upper()} {result.fault}: {printable(result.story)}", 4)
    expected = " or ".join(result.names)
    yield from _wrapped(f"expected  {result.case} to fail and to name {expected}", 14, "    ")
    if result.reason:
        yield from _wrapped(printable(f"because   {result.reason}"), 14, "    ")
    if result.killing == "misnamed":
        yield from _wrapped(f"failed    {', '.join(result.killers)}", 14, "    ")
    if result.active:
        for name, line in zip(("without", "with it"), result.active, strict=True):
            yield from _wrapped(printable(f"{name:<9} {line}"), 14, "    ")


def _matrix_lines(report: KillReport) -> Iterator[str]:
    """One row per fault that was tried, one column per family of cases, with counts."""
    tried = [each for each in report.results if each.outcomes]
    if not tried:
        return
    families = case_families(report)
    letters = dict(zip(families, "abcdefghijklmnopqrstuvwxyz", strict=False))
    yield "how many cases of each family failed:"
    legend = ", ".join(f"{letter}={family}" for family, letter in letters.items())
    yield from _wrapped(legend)
    yield ""
    width = max(len(each.fault) for each in tried)
    yield f"  {'':<{width}}  {' '.join(letters.values())}"
    for each in tried:
        killers = set(each.killers)
        cells = (sum(case in killers for case in cases) for cases in families.values())
        row = " ".join(str(count) if count else "." for count in cells)
        yield f"  {each.fault:<{width}}  {row}"


def _inapplicable_lines(report: KillReport) -> Iterator[str]:
    by_reason = sorted(report.of("not applicable"), key=lambda each: str(each.reason))
    for reason, group in groupby(by_reason, key=lambda each: str(each.reason)):
        names = ", ".join(each.fault for each in group)
        yield ""
        yield from _wrapped(printable(f"NOT APPLICABLE: {reason}"), 4)
        yield from _wrapped(names, 0, "    ")


def _wrapped(text: str, hang: int = 2, indent: str = "  ") -> list[str]:
    return wrap(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=" " * max(hang, len(indent)),
        break_on_hyphens=False,
    )
