"""The part of `README.md` that is made of `results.json`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from benchmarks.kits.faults import FAULTS
from benchmarks.kits.results import Comparison, Judged, OwnVerdict, Trial

__all__ = ["with_results"]

_BEGIN: Final = "<!-- made of results.json by `make bench-kits` -->\n"
_END: Final = "<!-- end -->\n"


def with_results(page: str, found: Comparison) -> str:
    """Return a page with its generated part made anew."""
    before, _, rest = page.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    made = "\n".join(_lines(found))
    return f"{before}{_BEGIN}\n{made}\n\n{_END}{after}"


def _lines(found: Comparison) -> Iterator[str]:
    yield f"{found.when.day} {found.when:%B %Y}."
    yield ""
    yield from _summary(found)
    yield ""
    yield "### Fault by fault"
    yield ""
    yield "A number says how many of the kit's tests failed. *Missed* means that all passed;"
    yield "*(missed)*, that all passed and the kit's documentation promises nothing about it, as"
    yield "far as was found. A dash means that the backend cannot have the fault; in the last"
    yield "column, that no fault of the kind was put before our suite."
    yield ""
    yield from _faults(found)
    for title, about in (
        ("Outside what a kit promises", _beyond),
        ("Faults that a backend cannot have", _left_out),
        ("Everything switched off", _switched_off),
    ):
        yield ""
        yield f"### {title}"
        yield ""
        yield from about(found)


def _summary(found: Comparison) -> Iterator[str]:
    yield "| kit | versions | its backend | what runs | tests | caught | missed | (missed) |"
    yield "|---|---|---|---|---|---|---|---|"
    for kit in found.kits.values():
        missed = [each for each in kit.judged.values() if each.told == "not caught"]
        cells = [
            kit.title,
            ", ".join(f"{name} {version}" for name, version in kit.versions.items()),
            f"`{kit.backend}`",
            kit.what_runs,
            str(kit.plain.passed),
            f"**{kit.caught} of {len(kit.judged)}**",
            str(sum(each.beyond is None for each in missed)),
            str(sum(each.beyond is not None for each in missed)),
        ]
        yield _row(cells)


def _faults(found: Comparison) -> Iterator[str]:
    kits = found.kits.values()
    yield _row(["what the backend does", *(kit.title for kit in kits), "memory-fidelity"])
    yield _row(["---"] * (len(kits) + 2))
    for fault, story in FAULTS.items():
        cells = [_cell(kit.judged.get(fault)) for kit in kits]
        yield _row([story, *cells, _own_cell(found.suite.get(fault))])


def _beyond(found: Comparison) -> Iterator[str]:
    for kit in found.kits.values():
        for fault, judged in kit.judged.items():
            if judged.beyond is not None and judged.told == "not caught":
                yield f"- {kit.title}, *{FAULTS[fault]}*: {judged.beyond}."


def _left_out(found: Comparison) -> Iterator[str]:
    for kit in found.kits.values():
        for reason in dict.fromkeys(kit.left_out.values()):
            stories = "; ".join(
                FAULTS[fault] for fault, each in kit.left_out.items() if each == reason
            )
            yield f"- {kit.title}, {reason}: {stories}."


def _switched_off(found: Comparison) -> Iterator[str]:
    yield "| kit | how | passed | failed | skipped or expected to fail | conclusion |"
    yield "|---|---|---|---|---|---|"
    for kit in found.kits.values():
        for way, trial in kit.switched_off.items():
            yield _row([kit.title, way, *_counts(trial), trial.says])


def _counts(trial: Trial) -> list[str]:
    return [str(trial.passed), str(len(trial.failed)), str(trial.set_aside)]


def _cell(judged: Judged | None) -> str:
    if judged is None:
        return "-"
    if judged.told == "caught":
        return str(len(judged.trial.failed))
    return "missed" if judged.beyond is None else "(missed)"


def _own_cell(own: OwnVerdict | None) -> str:
    if own is None:
        return "-"
    word = "caught" if own.killing == "killed" else own.killing
    return f"{word}: `{own.case}`"


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
