"""The surface of a store: protocols, manifest, card (C1, M1 to M10, L2)."""

from __future__ import annotations

from inspect import iscoroutinefunction
from typing import Any, Final

from pydantic import ValidationError

from memory_fidelity.card import ContentKind
from memory_fidelity.errors import MemoryAdapterError
from memory_fidelity.manifest import MemoryAdapterManifest
from memory_fidelity.store import ExternalMemoryStore, MemoryItem, MemoryQuery
from memory_fidelity.testing.case import case
from memory_fidelity.testing.endings import Raised, described
from memory_fidelity.testing.examine import OPERATIONS
from memory_fidelity.testing.harness import Journal
from memory_fidelity.testing.published import CarriesCard
from memory_fidelity.testing.trial import RigFault, Trial

__all__ = ["CASES"]

_OF_KIND: Final[dict[ContentKind, tuple[Any, ...]]] = {
    "text": ("text", ""),
    "json": ({"a": 1}, ["a"], 5, True, None),
}
"""Ordinary content, by its kind."""


@case("surface.protocols", "C1", "M7", control=False)
async def protocols(trial: Trial) -> None:
    """The store satisfies `MemoryStore` and `ExternalMemoryStore`.

    A runtime protocol sees names only: three integers called store, retrieve
    and search would satisfy it. So each operation must be a coroutine function.
    """
    for name in OPERATIONS:
        trial.require(
            iscoroutinefunction(getattr(trial.store, name, None)),
            "C1",
            f"a memory store has an async method {name}",
            f"{type(trial.store).__name__} has none",
            f"define `async def {name}`",
        )
    trial.require(
        isinstance(trial.store, ExternalMemoryStore),
        "C1",
        "an external store publishes a manifest",
        f"{type(trial.store).__name__} has no attribute `manifest`",
        "publish a MemoryAdapterManifest as the property `manifest`",
    )


@case("surface.manifest", "C1", "M1", "M2", "M3", "M4", "M5", "M6", "M9", version=2, control=False)
async def manifest(trial: Trial) -> None:
    """The manifest is a `MemoryAdapterManifest` that validates, and no field can be replaced.

    A model that was built without validation, or changed behind Pydantic's
    back, can hold a contradiction, a tenth field or values of other types.
    """
    published = getattr(trial.store, "manifest", None)
    if not isinstance(published, MemoryAdapterManifest):
        raise trial.fail(
            "C1",
            "the property `manifest` is a MemoryAdapterManifest",
            "there is none" if published is None else f"it is a {type(published).__name__}",
            "publish a MemoryAdapterManifest",
        )
    for reason in _contradictions(published):
        trial.report(
            "C1",
            "the manifest does not contradict itself, and has nine fields of their types",
            reason,
            "build the manifest through its constructor, which refuses this",
        )
    trial.require(
        not _replaceable(published),
        "M1",
        "the manifest is frozen",
        f"a field of the {type(published).__name__} could be assigned",
        "publish a MemoryAdapterManifest itself, which is frozen",
    )


def _contradictions(published: MemoryAdapterManifest) -> list[str]:
    fields = dict(published)
    try:
        valid = MemoryAdapterManifest.model_validate(fields)
    except ValidationError as error:
        return [fault["msg"] for fault in error.errors()]
    return [
        f"{name} is a {type(fields[name]).__name__}"
        for name, value in valid
        if type(fields[name]) is not type(value)
    ]


def _replaceable(published: MemoryAdapterManifest) -> bool:
    try:
        published.adapter = published.adapter
    except (ValidationError, AttributeError, TypeError):
        return False
    return True


@case("manifest.stable", "M8", "M9", version=2, judges_manifest=True)
async def stable(trial: Trial) -> None:
    """The manifest of an instance is the same before and after use, failure and reset.

    An application judges an adapter once. A manifest that shrinks when the
    service loses a feature changes the contract under running code. A second
    store over the same service says the same, its name included.
    """
    # As it was read before anything was stored.
    before = trial.claims.model_dump()
    await _judge_alike(trial)
    item = trial.item("stable")
    await trial.stored(item)
    await trial.attempt(trial.store.search(MemoryQuery(filters={"mf-no-such-filter": 1})))
    await trial.rigged(trial.harness.make_transport_unavailable())
    await trial.attempt(trial.store.retrieve(item.id))
    after = trial.store.manifest.model_dump()
    changed = sorted(name for name in before if before[name] != after[name])
    trial.require(
        not changed,
        "M8",
        "the manifest never changes",
        f"after use and an outage, it says something else in {', '.join(changed)}",
        "raise MemoryAdapterUnavailable when the manifest is no longer true",
    )
    trial.require(
        isinstance(await trial.attempt(_assign(trial)), Raised),
        "M8",
        "the manifest is read-only",
        "another manifest could be assigned to the store",
        "publish the manifest as a property without a setter",
    )


async def _judge_alike(trial: Trial) -> None:
    other = getattr(await trial.new_store(), "manifest", None)
    for field in type(trial.claims).model_fields:
        said = getattr(other, field, None)
        trial.require(
            said == getattr(trial.claims, field),
            f"manifest.{field}",
            trial.says(field),
            f"another store, made alike over the same service, says {said!r}",
            "derive the manifest from the configuration, and name the implementation",
        )


async def _assign(trial: Trial) -> None:
    trial.store.manifest = trial.manifest


@case("manifest.lanes", "M9", lanes=("live",), judges_manifest=True, control=False)
async def lanes(trial: Trial) -> None:
    """The adapter publishes the same manifest over the fake and over the live service.

    A fake that models another adapter proves nothing about this one.
    """
    other = trial.setting.other_manifest
    if other is None:
        raise RigFault("the fake lane was asked for, and its manifest could not be read")
    here, there = trial.claims.model_dump(), other.model_dump()
    for field in sorted(name for name in here if here[name] != there[name]):
        trial.report(
            f"manifest.{field}",
            trial.says(field),
            f"over the fake it says {there[field]!r}",
            "let fake and live harness make the same adapter in the same configuration",
        )


@case("card.coherent", "L2", "L3", "Q1", "W2", judges_manifest=True, control=False)
async def card(trial: Trial) -> None:
    """The store carries an `AdapterCard` that agrees with its manifest.

    Nine fields cannot say what a dropped field reads back as, which losses
    there are, how tags match, or who closes the connection. The card does.
    """
    if not isinstance(trial.store, CarriesCard):
        raise trial.fail(
            "L2",
            "the adapter states defaults, losses, matching and its eight lifecycle answers",
            f"{type(trial.store).__name__} has no attribute `card`",
            "publish an AdapterCard as the property `card`",
        )
    if trial.card is None:
        raise trial.fail(
            "L2",
            "the property `card` is an AdapterCard",
            f"it is a {type(trial.store.card).__name__}",
            "publish an AdapterCard",
        )
    for fault in trial.card.disagreements(trial.claims):
        fields, _, what = fault.partition(": ")
        for field in fields.split(", "):
            trial.report(
                f"manifest.{field}",
                trial.says(field),
                f"manifest and card disagree: {what}",
                "make the manifest and the card say the same",
            )


@case("card.content", "W1", "C6", needs=(Journal,), live_without=True, judges_manifest=True)
async def content(trial: Trial) -> None:
    """Content of a kind that the card leaves out is refused before any call.

    An adapter that takes more than it says turns some of it into something
    else sooner or later; or it keeps it, and applications look elsewhere.
    """
    for kind, values in _OF_KIND.items():
        if kind in trial.kinds:
            continue
        for value in values:
            before = len(trial.calls())
            item = trial.item("of another kind").model_copy(update={"content": value})
            outcome = await trial.attempt(trial.store.store(item))
            trial.require(
                isinstance(outcome, Raised) and isinstance(outcome.error, MemoryAdapterError),
                "card.content",
                f"card says that content is {' or '.join(sorted(trial.kinds))}",
                f"content {value!r}: store gave {described(outcome)}",
                f"refuse it with UnsupportedMemoryItem, or state that {kind} is taken",
            )
            trial.require(
                len(trial.calls()) == before,
                "W1",
                "an item is validated before any call to the service",
                f"content {value!r} reached the service",
                "validate the whole item first",
            )


@case("surface.attributes", "M10", "Q6", version=2)
async def attributes(trial: Trial) -> None:
    """Items that come back carry the five documented fields and nothing else.

    Scores, ranks and service-native extras on an item look like data of the
    application, and disappear with the next backend.
    """
    item = trial.item(f"attributes {trial.mark}", tags=[trial.mark])
    await trial.stored(item)
    await trial.indexed()
    got = [await trial.retrieved(item.id), *await trial.found(MemoryQuery(tags=[trial.mark]))]
    for one in got:
        extra = _undeclared(one) if one is not None else []
        trial.require(
            not extra,
            "M10",
            "an item has no attributes beyond its documented fields",
            f"it also has {', '.join(extra)}",
            "put service-native values into a documented field, or leave them out",
        )


def _undeclared(item: MemoryItem) -> list[str]:
    # What a subclass computes counts, too; names that Python and Pydantic give every class do not.
    named = {name for name in dir(item) if not name.startswith("__")}
    carried = {*named, *vars(item), *(item.model_extra or ()), *type(item).model_fields}
    return sorted(carried - set(dir(MemoryItem)) - set(MemoryItem.model_fields))


@case("harness.reset", "C4", "C9")
async def reset(trial: Trial) -> None:
    """After the harness's reset the service is empty, and says so in the ordinary way.

    No item is found and none is retrieved; that is `[]` and `None`, no error.
    """
    item = trial.item("before the reset")
    await trial.stored(item)
    await trial.indexed()
    await trial.rigged(trial.harness.reset())
    await trial.indexed()
    if await trial.retrieved(item.id) is not None or await trial.found(MemoryQuery()):
        raise RigFault("the harness was reset, and items are still there")


CASES = (protocols, manifest, card, content, stable, lanes, attributes, reset)
