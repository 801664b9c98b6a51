"""Who owns a store in lionagi: what applications that pass one in can rely on (M7, L4)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.adapter.shelf import Shelf

from lionagi import Branch, Session
from memory_fidelity import InMemoryStore, MemoryItem


class _Closable(Shelf):
    """A store that notes whether anybody closed it."""

    def __init__(self) -> None:
        super().__init__()
        self.closed: list[str] = []

    async def close(self) -> None:
        """Note that it was closed."""
        self.closed.append("close")

    async def aclose(self) -> None:
        """Note that it was closed."""
        self.closed.append("aclose")

    async def __aexit__(self, *reason: object) -> None:
        """Note that it was closed."""
        self.closed.append("__aexit__")


def test_a_branch_uses_the_store_that_it_is_given() -> None:
    """An adapter passed in is what `memory` gives, each time."""
    store = Shelf()
    branch = Branch(memory=store)

    assert branch.memory is branch.memory is store


def test_a_session_uses_the_store_that_it_is_given() -> None:
    """The session and the branch that it starts with share the adapter."""
    store = Shelf()
    session = Session(memory=store)

    assert session.memory is store
    assert session.default_branch.memory is store


@pytest.mark.parametrize("owner", [Branch, Session])
def test_without_a_store_there_is_a_private_one(owner: type[Any]) -> None:
    """The default is made at first sight and kept."""
    made = owner()

    assert type(made.memory) is InMemoryStore
    assert made.memory is made.memory


@pytest.mark.parametrize("owner", [Branch, Session])
def test_a_store_cannot_be_exchanged(owner: type[Any]) -> None:
    """There is no setter: the choice is made once."""
    made = owner(memory=Shelf())

    with pytest.raises(AttributeError, match="memory"):
        made.memory = Shelf()


def test_an_untouched_branch_adopts_the_store_of_its_session() -> None:
    """A branch that has no store yet takes the session's."""
    store = Shelf()
    session, branch = Session(memory=store), Branch()

    session.include_branches(branch)

    assert branch.memory is store


def test_a_branch_keeps_the_store_that_it_came_with() -> None:
    """The first claim wins: joining a session takes no store away."""
    own = Shelf()
    session, branch = Session(memory=Shelf()), Branch(memory=own)

    session.include_branches(branch)

    assert branch.memory is own


def test_reading_the_store_claims_a_private_one() -> None:
    """A mere look at `memory` before joining keeps the session's store out."""
    session, branch = Session(memory=Shelf()), Branch()
    private = branch.memory

    session.include_branches(branch)

    assert branch.memory is private
    assert type(private) is InMemoryStore


def test_a_branch_that_moves_keeps_its_first_store() -> None:
    """Leaving a session gives no store back."""
    first = Shelf()
    session, later, branch = Session(memory=first), Session(memory=Shelf()), Branch()
    session.include_branches(branch)
    session.remove_branch(branch)

    later.include_branches(branch)

    assert branch.memory is first


def test_a_new_branch_of_a_session_shares_its_store() -> None:
    """Branches that a session makes write to one store."""
    store = Shelf()

    assert Session(memory=store).new_branch().memory is store


def test_a_split_branch_shares_the_store_of_the_session() -> None:
    """A split conversation goes on with the same store."""
    store = Shelf()
    session = Session(memory=store)

    assert session.split(session.default_branch).memory is store


def test_a_clone_drops_the_store() -> None:
    """The copy of a branch has a private store, so what it writes is not kept."""
    clone = Branch(memory=Shelf()).clone()

    assert type(clone.memory) is InMemoryStore


def test_a_serialised_branch_drops_the_store() -> None:
    """A branch that is written and read back has a private store."""
    read = Branch.from_dict(Branch(memory=Shelf()).to_dict())

    assert type(read.memory) is InMemoryStore


def test_leaving_a_branch_does_not_close_its_store() -> None:
    """Whoever made the store closes it (L4)."""
    store = _Closable()

    async def scenario() -> None:
        async with Branch(memory=store):
            pass

    asyncio.run(scenario())

    assert store.closed == []


def test_what_one_branch_stores_another_finds() -> None:
    """Sharing is real: the store's own answer comes through either branch."""
    store = Shelf()
    session = Session(memory=store)
    one, other = session.default_branch, session.new_branch()
    item = MemoryItem(content="tea")

    asyncio.run(one.memory.store(item))

    found = asyncio.run(other.memory.retrieve(item.id))
    assert found is not None
    assert found.content == "tea"
