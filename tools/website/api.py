"""The page of the API: every public name, by the module that users import it from."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Final

from tools.website.blocks import heading, paragraphs

__all__ = ["MODULES", "api_page"]

MODULES: Final = (
    "memory_fidelity",
    "memory_fidelity.testing",
    "memory_fidelity.testing.strategies",
    "memory_fidelity.adapters.postgres",
    "memory_fidelity.adapters.sqlite",
    "memory_fidelity.adapters.postgres",
    "memory_fidelity.fake",
    "memory_fidelity.workbook",
)
"""The modules whose `__all__` is the public API."""


def api_page() -> str:
    """Return directives for mkdocstrings: each public name that is this project's own."""
    return "\n\n".join(_parts()) + "\n"


def _parts() -> Iterator[str]:
    yield "# API"
    yield (
        "`MemoryItem`, `MemoryQuery`, `MemoryStore` and `InMemoryStore` are lionagi's own; "
        "`memory_fidelity` re-exports them."
    )
    for name in MODULES:
        module = import_module(name)
        yield heading(2, f"`{name}`", name)
        yield _introduction(module)
        for public in module.__all__:
            if _is_ours(getattr(module, public)):
                yield f"::: {name}.{public}"


def _introduction(module: ModuleType) -> str:
    described = (module.__doc__ or "").split("\n\n")
    return paragraphs(described[0])


def _is_ours(value: object) -> bool:
    home = getattr(value, "__module__", "memory_fidelity")
    return home.partition(".")[0] in ("memory_fidelity", "typing", "builtins")
