"""The store over khive is a store like any other (X1): the suite finds every claim of it true."""

from __future__ import annotations

import pytest

from lionagi import Branch
from memory_fidelity import ExternalMemoryStore
from memory_fidelity.adapters.khive import KhiveMemoryStore, McpServer
from memory_fidelity.testing import check_sync
from memory_fidelity.testing.targets import harness, lanes

NOWHERE = McpServer(("kkernel",))


@pytest.mark.parametrize("target", ["khive", "khive-plain", "khive-embeddings"])
def test_a_profile_conforms_on_the_fake(target: str) -> None:
    """All nine fields of its manifest, and its card, are what happens."""
    report = check_sync(fake=harness(lanes(target)["fake"]))

    assert (report.verdict, report.grade) == ("conformant", "modelled")


@pytest.mark.usefixtures("khive_program")
@pytest.mark.parametrize("target", ["khive", "khive-plain"])
def test_a_profile_conforms_on_khive(target: str) -> None:
    """The same on khive's own program; what the two lanes say together stands in the evidence."""
    report = check_sync(live=harness(lanes(target)["live"]))

    assert (report.verdict, report.grade) == ("conformant", "observed")


def test_what_is_embedded_may_be_found_late() -> None:
    """A khive with embeddings is declared eventual, by another name."""
    store = KhiveMemoryStore(NOWHERE, embeddings=True)

    assert store.manifest.search_consistency == "eventual"
    assert store.manifest.adapter == "khive-embeddings"


def test_a_branch_takes_it() -> None:
    """It is an external store, and a branch's memory as it is."""
    store = KhiveMemoryStore(NOWHERE)

    branch = Branch(memory=store)

    assert isinstance(store, ExternalMemoryStore)
    assert branch.memory is store
