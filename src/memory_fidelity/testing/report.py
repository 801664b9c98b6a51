"""The report of one run: the data that every rendering is made from."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field

from memory_fidelity.card import AdapterCard
from memory_fidelity.manifest import MemoryAdapterManifest
from memory_fidelity.testing.verdict import Grade, Lane, Outcome, Verdict

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["CaseResult", "Environment", "Finding", "LaneReport", "Report"]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Finding(_Part):
    """Why a case failed, in the three parts that an author needs."""

    subject: str = Field(
        description="What is false: `manifest.<field>`, `card.<statement>`, or the clause broken."
    )
    claim: str = Field(description="What the manifest, the card or the contract says.")
    observed: str = Field(description="What happened instead: the path, what was sent, what came.")
    change: str = Field(description="What to change, in the adapter or in the claim.")


class CaseResult(_Part):
    """How one case ended in one lane."""

    case: str = Field(description="Stable id of the case, such as `search.limit.zero`.")
    version: int = Field(ge=1, description="Raised when the meaning of the case changes.")
    clauses: tuple[str, ...] = Field(description="The clauses of the contract that it proves.")
    title: str = Field(description="What must be observed, in one sentence.")
    outcome: Outcome = Field(description="How it ended.")
    findings: tuple[Finding, ...] = Field(default=(), description="Why it failed.")
    reason: str | None = Field(default=None, description="Why it did not pass or fail.")
    notes: tuple[str, ...] = Field(default=(), description="What was seen that is no fault.")
    milliseconds: float = Field(ge=0, description="How long it took, by the wall clock.")


class LaneReport(_Part):
    """All cases of one lane."""

    lane: Lane = Field(description="Fake or live.")
    harness: str = Field(description="Where the harness is found: `module:qualified name`.")
    service: dict[str, str] = Field(
        default_factory=dict,
        description="Versions of the service and its client, as far as the harness names them.",
    )
    verdict: Verdict = Field(description="What the outcomes add up to.")
    results: tuple[CaseResult, ...] = Field(description="One per case, in the suite's order.")


class Environment(_Part):
    """What the run ran on."""

    python: str = Field(description="Version of the interpreter.")
    system: str = Field(description="Name of the operating system.")
    packages: dict[str, str] = Field(description="Versions of the packages that matter.")


class Report(_Part):
    """The verdict on one adapter, and everything that led to it."""

    schema_version: Literal[1] = Field(default=1, description="Version of this format.")
    suite: str = Field(description="Version of the suite, and a digest of its cases and corpus.")
    adapter: str | None = Field(description="The manifest's `adapter`; null without a manifest.")
    manifest: MemoryAdapterManifest | None = Field(description="The manifest that was judged.")
    card: AdapterCard | None = Field(description="The card beside it.")
    verdict: Verdict = Field(description="The worst verdict of all lanes.")
    grade: Grade = Field(description="What the lanes say together.")
    lanes: tuple[LaneReport, ...] = Field(description="The lanes that ran, fake first.")
    environment: Environment = Field(description="What the run ran on.")
    when: datetime = Field(description="When the run started, in UTC.")
    reproduce: str = Field(description="The command that runs the same again.")

    def to_frame(self) -> DataFrame:
        """Return one row per lane and case: the outcome, without times.

        Raises:
            ImportError: pandas is missing; it comes with the extra `workbook`.
        """
        from memory_fidelity.testing.rendering.frame import report_frame

        return report_frame(self)

    def __repr__(self) -> str:
        from memory_fidelity.testing.rendering.text import summary

        return summary(self)

    __str__ = __repr__

    def _repr_html_(self) -> str:
        from memory_fidelity.testing.rendering.html import fragment

        return fragment(self)
