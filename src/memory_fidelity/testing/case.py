"""One case of the conformance matrix, and the decorator that makes one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from inspect import cleandoc
from typing import TYPE_CHECKING

from memory_fidelity.manifest import MemoryAdapterManifest
from memory_fidelity.testing.verdict import Lane

if TYPE_CHECKING:
    from memory_fidelity.testing.trial import Trial

__all__ = ["Case", "CaseBody", "case"]

CaseBody = Callable[["Trial"], Awaitable[None]]
"""Runs one case; what is wrong is reported to the trial."""


@dataclass(frozen=True, slots=True)
class Case:
    """One thing that every adapter is asked, with a stable id."""

    id: str
    """Stable, public, such as `search.limit.zero`."""
    version: int
    """Raised when the meaning of the case changes."""
    clauses: tuple[str, ...]
    """The clauses that a pass proves."""
    title: str
    """What must be observed, in one sentence."""
    why: str
    """Why it matters, and what usually goes wrong."""
    body: CaseBody
    needs: tuple[type, ...]
    """The controls of a fake transport without which nothing can be seen."""
    lanes: tuple[Lane, ...]
    """Where it can run."""
    live_without: bool
    """Whether it runs on a live service without its controls, and proves less there."""
    judges_manifest: bool
    """Whether it compares with the manifest, so that a store without one cannot be asked."""
    control: bool
    """Whether an ordinary item must store and come back first; if not, it is the case itself."""
    inapplicable: Callable[[MemoryAdapterManifest], str | None]
    """The reason, derived from the manifest alone, why there is nothing to prove."""


def _always(_: MemoryAdapterManifest) -> None:
    return None


def case(
    case_id: str,
    *clauses: str,
    version: int = 1,
    needs: tuple[type, ...] = (),
    lanes: tuple[Lane, ...] = ("fake", "live"),
    live_without: bool = False,
    judges_manifest: bool = False,
    control: bool = True,
    inapplicable: Callable[[MemoryAdapterManifest], str | None] = _always,
) -> Callable[[CaseBody], Case]:
    """Make a case of a function; its docstring gives the title and the explanation."""

    def made(body: CaseBody) -> Case:
        title, _, why = cleandoc(body.__doc__ or "").partition("\n\n")
        return Case(
            id=case_id,
            version=version,
            clauses=clauses,
            title=" ".join(title.split()),
            why=" ".join(why.split()),
            body=body,
            needs=needs,
            lanes=("fake",) if needs and not live_without else lanes,
            live_without=live_without,
            judges_manifest=judges_manifest,
            control=control,
            inapplicable=inapplicable,
        )

    return made
