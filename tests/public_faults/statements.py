"""Why a fault cannot be played against an adapter: a statement that can be looked up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from memory_fidelity import Lifecycle
from memory_fidelity.card import ContentKind
from memory_fidelity.manifest import MemoryItemField

if TYPE_CHECKING:
    from tests.public_faults.bench import Bench

__all__ = ["Alters", "Control", "Drops", "NoControl", "NoFilter", "NotApplicable", "Says", "Takes"]

Control = Literal[
    "break_next_call",
    "corrupt_next_response",
    "holds",
    "open_scope",
    "plant_foreign_record",
    "withhold_next_identity",
]


class NotApplicable(Exception):
    """A fault does not apply to an adapter, for a reason that follows from what it states."""

    def stands(self, bench: Bench) -> bool:
        """Whether the adapter, or its lane, really states it."""
        raise NotImplementedError


@dataclass(eq=False)
class Drops(NotApplicable):
    """The manifest drops the field."""

    field: MemoryItemField

    def __post_init__(self) -> None:
        super().__init__(f"manifest.dropped_item_fields has {self.field}")

    def stands(self, bench: Bench) -> bool:
        """Whether the manifest lists the field."""
        return self.field in bench.manifest.dropped_item_fields


@dataclass(eq=False)
class NoFilter(NotApplicable):
    """The manifest does not support the filter."""

    key: str

    def __post_init__(self) -> None:
        super().__init__(f"manifest.supported_filters has no {self.key}")

    def stands(self, bench: Bench) -> bool:
        """Whether the manifest lacks the key."""
        return self.key not in bench.manifest.supported_filters


@dataclass(eq=False)
class Takes(NotApplicable):
    """The card does not take such content."""

    kind: ContentKind

    def __post_init__(self) -> None:
        super().__init__(f"card.content has no {self.kind}")

    def stands(self, bench: Bench) -> bool:
        """Whether the card lacks the kind."""
        return self.kind not in bench.card.content


@dataclass(eq=False)
class Alters(NotApplicable):
    """A loss that the card names has just predicted exactly what came back."""

    loss: str

    def __post_init__(self) -> None:
        super().__init__(f"card.losses has {self.loss}")

    def stands(self, bench: Bench) -> bool:
        """Whether the card names the loss."""
        return self.loss in {loss.name for loss in bench.card.losses}


@dataclass(eq=False)
class Says(NotApplicable):
    """The card says, in these words, that it works otherwise."""

    part: str
    words: str

    def __post_init__(self) -> None:
        super().__init__(f"card.{self.part} says: {self.words}")

    def stands(self, bench: Bench) -> bool:
        """Whether the words are in that part of the card."""
        answers = bench.card.lifecycle if self.part in Lifecycle.model_fields else bench.card
        return self.words in getattr(answers, self.part)


@dataclass(eq=False)
class NoControl(NotApplicable):
    """The harness of this lane cannot bring the situation about."""

    control: Control

    def __post_init__(self) -> None:
        super().__init__(f"the lane has no control {self.control}")

    def stands(self, bench: Bench) -> bool:
        """Whether the harness lacks the control."""
        return not hasattr(bench.harness, self.control)
