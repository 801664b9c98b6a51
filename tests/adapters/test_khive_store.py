"""The store over khive is a store like any other; the evidence says that its claims are true."""

from __future__ import annotations

from lionagi import Branch
from memory_fidelity import ExternalMemoryStore
from memory_fidelity.adapters.khive import KhiveMemoryStore, McpServer

NOWHERE = McpServer(("kkernel",))


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
