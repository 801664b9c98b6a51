"""What was seen of a store: the strongest manifest that is true of it, with the evidence."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from memory_fidelity.manifest import MemoryAdapterManifest
from memory_fidelity.testing.report import Finding

__all__ = ["Observed", "ObservedField"]


class ObservedField(BaseModel):
    """One field of the manifest, as behaviour shows it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    field: str = Field(description="The manifest field.")
    value: Any = Field(description="What is true of the store, as JSON.")
    declared: Any = Field(default=None, description="What it declares; null if nothing.")
    evidence: tuple[str, ...] = Field(description="What was sent, and what came back.")


class Observed(BaseModel):
    """The strongest manifest that is true of a store, inferred from behaviour alone."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: Literal[1] = 1
    target: str = Field(description="What was observed, as the command line took it.")
    store: str = Field(description="The class of the store.")
    manifest: MemoryAdapterManifest | None = Field(
        description="What is true of it; null if no manifest can be, as `breaches` tell."
    )
    declared: MemoryAdapterManifest | None = Field(description="What it declares; null if nothing.")
    fields: tuple[ObservedField, ...] = Field(description="All nine fields, each with evidence.")
    breaches: tuple[Finding, ...] = Field(
        description="What was seen that no manifest allows, whatever it says."
    )
    notes: tuple[str, ...] = Field(description="What a manifest has no word for.")
    when: datetime
    reproduce: str = Field(description="The command that observes the same again.")

    @property
    def differences(self) -> tuple[ObservedField, ...]:
        """The fields in which the declared manifest is not what was seen."""
        if self.declared is None:
            return ()
        return tuple(each for each in self.fields if each.value != each.declared)
