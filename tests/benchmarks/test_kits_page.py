"""The published comparison: made of its results, and worded as they are."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from benchmarks.kits import page as page_module
from benchmarks.kits.page import with_results
from benchmarks.kits.results import Comparison, Judged, KitResult, OwnVerdict, Seen, Told, Trial

_PLACE = Path(page_module.__file__).parent
_PAGE = """# Title

<!-- made of results.json by `make bench-kits` -->
old
<!-- end -->

The end.
"""


def _judged(told: Told, beyond: str | None = None) -> Judged:
    failed = ("test_one", "test_two") if told == "caught" else ()
    return Judged(
        told=told,
        seen=Seen(without="1", carrier="1", with_fault="2"),
        trial=Trial(passed=5, failed=failed, set_aside=0, says="7"),
        beyond=beyond,
    )


@pytest.fixture
def found() -> Comparison:
    """One kit, and one fault of each ending."""
    nothing = Trial(passed=7, failed=(), set_aside=0, says="fine")
    kit = KitResult(
        title="a kit",
        backend="Memory",
        what_runs="all of it",
        python="3.11.0",
        versions={"a-kit": "1.2"},
        plain=nothing,
        carrier=nothing,
        judged={
            "text.trimmed": _judged("caught"),
            "text.truncated": _judged("not caught"),
            "read.shared": _judged("not caught", "nobody said so"),
            "search.limit-ignored": _judged("caught", "nobody said so"),
        },
        left_out={"delete.ignored": "nothing is deleted"},
        switched_off={"skipped": Trial(passed=0, failed=(), set_aside=7, says="FULL")},
    )
    own = OwnVerdict(fault="limit.ignored", case="search.limit", killing="killed", active=None)
    return Comparison(
        when=date(2026, 12, 2), kits={"kit": kit}, suite={"search.limit-ignored": own}
    )


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(
            "| a kit | a-kit 1.2 | `Memory` | all of it | 7 | **2 of 4** | 1 | 1 |", id="sum"
        ),
        pytest.param("| white space around text is removed | 2 | - |", id="caught"),
        pytest.param("| text is cut after 32 characters | missed | - |", id="missed"),
        pytest.param("| two reads of a record return one object | (missed) | - |", id="beyond"),
        pytest.param("| a record that was deleted stays | - | - |", id="left-out"),
        pytest.param(
            "| a search returns more than its limit | 2 | caught: `search.limit` |", id="ours"
        ),
        pytest.param(
            "- a kit, *two reads of a record return one object*: nobody said so.", id="why-beyond"
        ),
        pytest.param("- a kit, nothing is deleted: a record that was deleted stays.", id="why-not"),
        pytest.param("| a kit | skipped | 0 | 0 | 7 | FULL |", id="switched-off"),
    ],
)
def test_page_says(found: Comparison, line: str) -> None:
    """Each ending in its own words."""
    assert line in with_results(_PAGE, found).splitlines()


def test_what_is_caught_is_not_excused(found: Comparison) -> None:
    """A fault beyond a kit's promises that it finds all the same is no exception to list."""
    assert "a search returns more than its limit*: nobody" not in with_results(_PAGE, found)


def test_rest_of_the_page_stays(found: Comparison) -> None:
    """Only what lies between the marks is made anew, and twice gives the same."""
    made = with_results(_PAGE, found)

    assert made.startswith("# Title\n\n<!-- made")
    assert made.endswith("<!-- end -->\n\nThe end.\n")
    assert "\nold\n" not in made
    assert with_results(made, found) == made


def test_published_page_is_that_of_the_published_results() -> None:
    """Nobody edited one of the two alone."""
    written = (_PLACE / "results.json").read_text(encoding="utf-8")
    page = (_PLACE / "README.md").read_text(encoding="utf-8")

    assert with_results(page, Comparison.model_validate_json(written)) == page


def test_published_faults_were_all_active() -> None:
    """Each made its probe see something else, and both backends passed without it."""
    written = (_PLACE / "results.json").read_text(encoding="utf-8")
    kits = Comparison.model_validate_json(written).kits.values()

    assert all(judged.seen.active for kit in kits for judged in kit.judged.values())
    assert not any(trial.failed for kit in kits for trial in (kit.plain, kit.carrier))
