"""The page of the kill matrix: which case finds which deliberate fault."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Final

from tools.website.blocks import heading, prose, table
from tools.website.kills import Kills

from memory_fidelity.testing.harness_faults import HARNESS_FAULTS
from memory_fidelity.testing.kills import FaultResult, KillReport
from memory_fidelity.testing.rendering.kills import case_families, tally

__all__ = ["kills_page"]

_MAIN: Final = "sqlite"
"""The target whose matrix is shown; the others are told where they differ."""


def kills_page(kills: Kills) -> str:
    """Return the summary, families of faults by families of cases, and every fault."""
    return "\n\n".join(_page(kills)) + "\n"


def _page(kills: Kills) -> Iterator[str]:
    report = kills[_MAIN]
    yield "---\nhide: [toc]\n---"
    yield "# The kill matrix"
    yield (
        "A conformance suite is worth what it finds. Each row below is a deliberate fault: a "
        "wrapper around an adapter that makes one behaviour wrong and leaves all others right. "
        "A fault counts only if the same calls give something else with it than without it; it is "
        "*killed* only if the case that is meant for it fails and names the claim that is false."
    )
    yield table(
        ("put into", "faults", "what became of them", "run again", "date"),
        (
            (
                f"`{name}`",
                str(len(each.results)),
                tally(each),
                f"`{each.reproduce}`",
                f"{each.when:%Y-%m-%d}",
            )
            for name, each in kills.items()
        ),
    )
    yield (
        "`memory-fidelity mutate` does the same to any adapter with a fake lane, and lists first "
        "what survives; see [Find gaps with faults](../how-to/find-gaps.md)."
    )
    yield heading(2, "Families of faults by families of cases", "families")
    yield (
        f"How many faults of a family are found by at least one case of a family, over "
        f"`{_MAIN}`. A fault is usually found by several cases; the one that is meant for it is "
        "named in the lists below."
    )
    yield _families(report)
    yield heading(2, "Every fault", "faults")
    for family, results in groupby(sorted(report.results, key=_family), key=_family):
        yield from _family_list(family, list(results))
    yield heading(2, "Faults of a harness", "harness")
    yield (
        "A harness that does not do its part must end as an *error*: never as a pass, and never "
        "as a fault of the adapter. Each of these does, in the case named."
    )
    yield table(
        ("fault", "what such a harness does", "case"),
        (
            (
                f"`{each.name}`",
                prose(each.story),
                f"[`{each.case}`](../reference/cases.md#{each.case})",
            )
            for each in HARNESS_FAULTS.values()
        ),
    )


def _family(result: FaultResult) -> str:
    return result.fault.partition(".")[0]


def _families(report: KillReport) -> str:
    families = case_families(report)
    found = [
        family
        for family, cases in families.items()
        if any({*cases} & {*each.killers} for each in report.results)
    ]
    rows = []
    for family, results in groupby(sorted(report.results, key=_family), key=_family):
        members = list(results)
        counts = (
            sum(bool({*families[column]} & {*each.killers}) for each in members) for column in found
        )
        rows.append(
            (f"[{family}](#{family})", str(len(members)), *(str(n) if n else "" for n in counts))
        )
    return table(("family", "faults", *found), rows)


def _family_list(family: str, results: list[FaultResult]) -> Iterator[str]:
    yield heading(3, family, family)
    yield table(
        ("fault", "what such an adapter does", "its own case", "found by, too"),
        (
            (f"`{each.fault}`", prose(each.story), _own(each), _others(each))
            for each in sorted(results, key=lambda each: each.fault)
        ),
    )


def _own(result: FaultResult) -> str:
    case = f"[`{result.case}`](../reference/cases.md#{result.case})"
    if result.killing == "killed":
        return case
    return f"{case}: {result.killing}{f', {prose(result.reason)}' if result.reason else ''}"


def _others(result: FaultResult) -> str:
    others = [case for case in result.killers if case != result.case]
    if len(others) > 4:
        return f"{', '.join(f'`{case}`' for case in others[:3])} and {len(others) - 3} more"
    return ", ".join(f"`{case}`" for case in others)
