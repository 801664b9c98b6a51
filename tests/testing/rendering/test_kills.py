"""A kill report in a terminal and as a page."""

from __future__ import annotations

from datetime import UTC, datetime

from bs4 import BeautifulSoup

from memory_fidelity.testing.kills import FaultResult, KillReport
from memory_fidelity.testing.rendering.kills import case_families, kills_text
from memory_fidelity.testing.rendering.kills_html import kills_document

SURVIVED = FaultResult(
    fault="tags.lost", story="Tags are <lost>.", case="search.tags", names=("Q1", "C12"),
    killing="survived", active=("search: ['a']", "search: []"),
    outcomes={"search.tags": "pass", "card.coherent": "pass"},
)  # fmt: skip
KILLED = FaultResult(
    fault="card.other", story="The card is another's.", case="card.coherent", names=("L2",),
    killing="killed", outcomes={"search.tags": "fail", "card.coherent": "fail"},
)  # fmt: skip
MISNAMED = SURVIVED.model_copy(
    update={"fault": "tags.sorted", "killing": "misnamed", "outcomes": {"card.coherent": "fail"}}
)
INERT = FaultResult(
    fault="tags.same", story="-", case="search.tags", names=("Q1",), killing="inert",
    reason="all 3 lines are the same",
)  # fmt: skip
LEFT_OUT = FaultResult(
    fault="tags.all", story="-", case="search.tags", names=("Q1",), killing="not applicable",
    reason="card says that tags match any of them",
)  # fmt: skip
REPORT = KillReport(
    suite="0.1.0+0123456789ab", target="acme", adapter="acme",
    cases=("card.coherent", "search.tags", "card.losses"),
    results=(SURVIVED, INERT, MISNAMED, KILLED, LEFT_OUT),
    when=datetime(2026, 12, 2, tzinfo=UTC), seconds=1.5, reproduce="memory-fidelity mutate acme",
)  # fmt: skip


def test_it_is_told_whole() -> None:
    """What was not killed comes first, then the matrix, what does not apply, and the count."""
    assert kills_text(REPORT) == (
        "acme: 5 faults against suite 0.1.0+0123456789ab\n"
        "\n"
        "  SURVIVED tags.lost: Tags are <lost>.\n"
        "    expected  search.tags to fail and to name Q1 or C12\n"
        "    without   search: ['a']\n"
        "    with it   search: []\n"
        "\n"
        "  INERT tags.same: -\n"
        "    expected  search.tags to fail and to name Q1\n"
        "    because   all 3 lines are the same\n"
        "\n"
        "  MISNAMED tags.sorted: Tags are <lost>.\n"
        "    expected  search.tags to fail and to name Q1 or C12\n"
        "    failed    card.coherent\n"
        "    without   search: ['a']\n"
        "    with it   search: []\n"
        "\n"
        "  A survivor is a gap: in a fake that does not model what the fault spoils, or\n"
        "  in the suite.\n"
        "\n"
        "how many cases of each family failed:\n"
        "  a=card, b=search\n"
        "\n"
        "               a b\n"
        "  tags.lost    . .\n"
        "  tags.sorted  1 .\n"
        "  card.other   1 1\n"
        "\n"
        "  NOT APPLICABLE: card says that tags match any of them\n"
        "    tags.all\n"
        "\n"
        "run again: memory-fidelity mutate acme\n"
        "1 survived, 1 inert, 1 misnamed, 1 killed, 1 not applicable in 1.5 s\n"
    )


def test_cases_of_a_family_stand_together() -> None:
    """Wherever they are in the suite."""
    families = {"card": ("card.coherent", "card.losses"), "search": ("search.tags",)}

    assert case_families(REPORT) == families


def test_each_mark_is_in_the_column_of_its_case() -> None:
    """And the case that is meant for a fault is marked as its own."""
    page = BeautifulSoup(kills_document(REPORT), "html.parser")
    heads = [head.get_text() for head in page.select(".kills thead th")]
    rows = {row.th.get_text(): row.select("td") for row in page.select(".kills tbody tr") if row.th}

    assert heads == ["Fault", "card.coherent", "search.tags"]
    assert [cell.get("class") for cell in rows["card.other"]] == [["found", "own"], ["found"]]
    assert [cell.get_text() for cell in rows["tags.lost"]] == ["", ""]


def test_a_page_needs_nothing_else_and_takes_stories_as_text() -> None:
    """No script, no network, and no markup out of a name."""
    page = kills_document(REPORT)

    assert "<script" not in page
    assert "http" not in page
    assert "Tags are &lt;lost&gt;." in page


def test_only_a_report_without_a_gap_kills_all() -> None:
    """What does not apply is left out of account, and nothing at all is no success."""
    assert not REPORT.kills_all
    assert REPORT.model_copy(update={"results": (KILLED, LEFT_OUT)}).kills_all
    assert not REPORT.model_copy(update={"results": (LEFT_OUT,)}).kills_all
