"""Stores with one thing wrong each: values that are altered as they are written."""

from __future__ import annotations

from typing import Any
from unicodedata import normalize
from uuid import UUID

from memory_fidelity.store import MemoryItem
from memory_fidelity.testing.relabelled import RelabelledStore


class Rewriting(RelabelledStore):
    """Writes other values than it was given."""

    def rewritten(self, item: MemoryItem) -> dict[str, Any]:
        """The fields that are replaced."""
        return {"metadata": self.tree(item.metadata)}

    def tree(self, value: Any) -> Any:
        """A value as it is written, with everything in it."""
        if type(value) is dict:
            return {self.key(key): self.tree(member) for key, member in value.items()}
        if type(value) is list:
            return [self.tree(member) for member in value]
        return self.leaf(value)

    def key(self, key: Any) -> Any:
        """A key as it is written."""
        return key

    def leaf(self, value: Any) -> Any:
        """A leaf as it is written."""
        return value

    async def store(self, item: MemoryItem) -> UUID:
        """Rewrite, and store."""
        return await self.inner.store(item.model_copy(update=self.rewritten(item)))


class ComposesMetadata(Rewriting):
    """Texts in metadata are normalised."""

    def leaf(self, value: Any) -> Any:
        """NFC."""
        return normalize("NFC", value) if type(value) is str else value


class TruthsInMetadata(Rewriting):
    """A text in metadata that reads like a truth value becomes one."""

    def leaf(self, value: Any) -> Any:
        """True."""
        return True if value == "true" else value


class FoldsKeys(Rewriting):
    """Keys of metadata lose their case."""

    def key(self, key: Any) -> Any:
        """Lower case."""
        return key.lower() if type(key) is str else key


class WideMetadata(Rewriting):
    """Mappings are cut at 64 keys."""

    def tree(self, value: Any) -> Any:
        """The first 64."""
        return dict([*value.items()][:64]) if type(value) is dict else value


class ReservesScore(Rewriting):
    """A key of metadata is taken for a column of the service's own."""

    def tree(self, value: Any) -> Any:
        """Without it."""
        return value | {"score": 0.5} if type(value) is dict and "score" in value else value


class TrimsTrees(Rewriting):
    """Texts inside a tree are trimmed, though not texts that are the whole content."""

    def rewritten(self, item: MemoryItem) -> dict[str, Any]:
        """The content, if it is a tree."""
        return {"content": self.tree(item.content)} if type(item.content) in (dict, list) else {}

    def leaf(self, value: Any) -> Any:
        """Trimmed."""
        return value.strip() if type(value) is str else value


class RoundsTrees(TrimsTrees):
    """Numbers inside a tree keep twelve digits."""

    def leaf(self, value: Any) -> Any:
        """Rounded."""
        return float(f"{value:.12g}") if type(value) is float else value


class TemplateTags(Rewriting):
    """A tag is taken for a template."""

    def rewritten(self, item: MemoryItem) -> dict[str, Any]:
        """Without placeholders."""
        tags = item.tags
        kept = [tag.replace("{{x}}", "") if type(tag) is str else tag for tag in tags or ()]
        return {"tags": kept} if type(tags) is list else {}


class CoercesTimes(Rewriting):
    """A `created_at` that is no float is made one."""

    def rewritten(self, item: MemoryItem) -> dict[str, Any]:
        """A float."""
        return {
            "created_at": float(item.created_at)
            if type(item.created_at) is int
            else item.created_at
        }
