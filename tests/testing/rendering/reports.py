"""Small reports, made by hand, for the tests of renderings."""

from __future__ import annotations

from datetime import UTC, datetime

from memory_fidelity import AdapterCard, Lifecycle, LossFixture, MemoryAdapterManifest, Refusal
from memory_fidelity.testing.report import CaseResult, Environment, Finding, LaneReport, Report
from memory_fidelity.testing.verdict import Grade, Lane, Outcome, grade, verdict, worst

MANIFEST = MemoryAdapterManifest(
    adapter="acme",
    native_item_fields=frozenset({"id", "content", "tags", "metadata", "created_at"}),
    dropped_item_fields=frozenset(),
    supported_filters=frozenset({"user", "kind"}),
    search_consistency="immediate",
    retrieve_fidelity="full",
    search_fidelity="lossy",
    search_returns_tags=True,
    preserves_metadata=True,
)
FINDING = Finding(
    subject="manifest.search_returns_tags",
    claim="manifest says search_returns_tags=True",
    observed="tags: sent ['a', 'b'], got []\non search.tags",
    change="return the stored tags with every hit, or declare search_returns_tags=False",
)


def card(refusals: tuple[Refusal, ...] = ()) -> AdapterCard:
    """A card with one declared loss."""
    answers = dict.fromkeys(Lifecycle.model_fields, "Not applicable.")
    return AdapterCard(
        adapter="acme",
        summary="Rows of a table.",
        content=frozenset({"text"}),
        losses=(
            LossFixture(
                name="case",
                field="content",
                why="the index folds case",
                sent="A<b>",
                expected="a<b>",
            ),
        ),
        refusals=refusals,
        ordering="None.",
        first_page="Any.",
        text_match="Substring.",
        tag_match="any",
        tag_case="sensitive",
        key_order=False,
        lifecycle=Lifecycle.model_validate(answers),
        verified_on={"acme": "1.0"},
    )


def result(
    case: str,
    outcome: Outcome = "pass",
    *findings: Finding,
    reason: str | None = None,
    notes: tuple[str, ...] = (),
    version: int = 1,
) -> CaseResult:
    """One case that took 250 ms."""
    return CaseResult(
        case=case,
        version=version,
        clauses=("C12", "Q1"),
        title=f"What {case} asks.",
        outcome=outcome,
        findings=findings,
        reason=reason,
        notes=notes,
        milliseconds=250,
    )


def lane(name: Lane, *results: CaseResult) -> LaneReport:
    """One lane, with the verdict that its results add up to."""
    return LaneReport(
        lane=name,
        harness=f"acme.testing:{name.title()}",
        verdict=verdict(one.outcome for one in results),
        results=results,
    )


def report(
    *lanes: LaneReport,
    manifest: MemoryAdapterManifest | None = MANIFEST,
    stated: AdapterCard | None = None,
    graded: Grade | None = None,
) -> Report:
    """A report of these lanes, with the verdict and grade that follow from them."""
    verdicts = {one.lane: one.verdict for one in lanes}
    return Report(
        suite="1.2.3+abcdef",
        adapter=manifest.adapter if manifest else None,
        manifest=manifest,
        card=stated,
        verdict=worst(verdicts.values()),
        grade=graded or grade(verdicts.get("fake"), verdicts.get("live")),
        lanes=lanes,
        environment=Environment(python="3.11.9", system="Linux", packages={"lionagi": "0.36.0"}),
        when=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
        reproduce="memory-fidelity check acme.testing:Fake",
    )


def proved() -> Report:
    """Two cases that pass in both lanes."""
    cases = (result("store.id"), result("search.tags"))
    return report(lane("fake", *cases), lane("live", *cases))


def contradicted() -> Report:
    """A case that passes on the fake and fails live, beside one of every other outcome."""
    return report(
        lane("fake", result("store.id"), result("search.tags")),
        lane(
            "live",
            result("store.id", notes=("found at once: stronger than claimed",)),
            result("search.late", "not applicable", reason="manifest says immediate"),
            result("search.one", "not run", reason="not selected"),
            result("search.two", "not run", reason="not selected"),
            result("search.slow", "inconclusive", reason="not seen within 5 s"),
            result("retrieve.kind", "error", reason="the harness raised OSError"),
            result("search.tags", "fail", FINDING),
        ),
    )
