"""False cards, over an adapter that does what it did: none, another one's, a wrong statement."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from memory_fidelity.card import AdapterCard, FilterMapping, LossFixture, Refusal
from memory_fidelity.manifest import MemoryAdapterManifest
from memory_fidelity.testing.faults.claims import Claims, Lie, Telling, Weaken, claims
from memory_fidelity.testing.faults.declared import no_times
from memory_fidelity.testing.faults.fault import (
    Fault,
    FaultyStore,
    Shared,
    Unless,
    always,
    fault,
)

__all__ = ["FAULTS"]

_TAGS: Final = ["Mixed", "Case", "kept"]

_LOSS: Final = LossFixture(
    name="tags-in-capitals",
    field="tags",
    why="The service compares tags without case.",
    sent=_TAGS,
    expected=[tag.upper() for tag in _TAGS],
    on=frozenset({"retrieve"}),
)


class _Carded(FaultyStore):
    """The card is made of the true one."""

    def __init__(self, inner: Any, shared: Shared, made: Callable[[Any], Any]) -> None:
        super().__init__(inner, shared)
        self._made = made

    @property
    def card(self) -> Any:
        return self._made(self.inner.card)


class _Uncarded:
    """There is no card."""

    def __init__(self, inner: Any, _shared: Shared) -> None:
        self.manifest = inner.manifest
        self.store = inner.store
        self.retrieve = inner.retrieve
        self.search = inner.search


def _no_filters(manifest: MemoryAdapterManifest, _card: AdapterCard) -> str | None:
    return None if manifest.supported_filters else "manifest says supported_filters=[]"


def _one_path(_manifest: MemoryAdapterManifest, card: AdapterCard) -> str | None:
    several = len({each.path for each in card.filters}) > 1
    return None if several else "card maps no two filters to different places"


def _saying(**said: Any) -> Lie:
    return lambda true, card: (true, card.model_copy(update=said))


def _filters(change: Callable[[tuple[FilterMapping, ...]], tuple[FilterMapping, ...]]) -> Lie:
    return lambda true, card: (true, card.model_copy(update={"filters": change(card.filters)}))


def _each_filter(**said: Callable[[FilterMapping], Any]) -> Lie:
    def change(known: tuple[FilterMapping, ...]) -> tuple[FilterMapping, ...]:
        return tuple(
            one.model_copy(update={name: value(one) for name, value in said.items()})
            for one in known
        )

    return _filters(change)


def _swapped_paths(known: tuple[FilterMapping, ...]) -> tuple[FilterMapping, ...]:
    paths = [one.path for one in known]
    turned = [*paths[1:], *paths[:1]]
    return tuple(
        one.model_copy(update={"path": path}) for one, path in zip(known, turned, strict=True)
    )


def _lossy(*losses: LossFixture) -> Lie:
    """Claim that retrieval is lossy, and that these are all its losses."""

    def lie(true: MemoryAdapterManifest, card: AdapterCard) -> Claims:
        return (
            true.model_copy(update={"retrieve_fidelity": "lossy"}),
            card.model_copy(update={"losses": losses}),
        )

    return lie


def _flag(field: str, one: str, other: str) -> Lie:
    def lie(true: MemoryAdapterManifest, card: AdapterCard) -> Claims:
        said = other if getattr(card, field) == one else one
        return true, card.model_copy(update={field: said})

    return lie


def _one_loss_more(true: MemoryAdapterManifest, card: AdapterCard) -> Claims:
    return _lossy(*card.losses, _LOSS)(true, card)


def _loss_of_nothing(true: MemoryAdapterManifest, card: AdapterCard) -> Claims:
    return true, card.model_copy(update={"losses": (*card.losses, _LOSS)})


def _hits_without_times(true: MemoryAdapterManifest, card: AdapterCard) -> Claims:
    absent = {**card.absent_in_hits, "created_at": 0.0}
    weaker = {"search_fidelity": "native_fields"} if true.search_fidelity == "full" else {}
    return (
        true.model_copy(update=weaker),
        card.model_copy(update={"absent_in_hits": absent}),
    )


def _one_refusal_more(true: MemoryAdapterManifest, card: AdapterCard) -> Claims:
    refusal = Refusal(
        name="two-tags",
        field="tags",
        why="The service has one column for a tag.",
        sample=["a", "b"],
    )
    return true, card.model_copy(update={"refusals": (*card.refusals, refusal)})


def _one_default_more(true: MemoryAdapterManifest, card: AdapterCard) -> Claims:
    return true, card.model_copy(update={"defaults": {**card.defaults, "tags": []}})


def _lossy_already(true: MemoryAdapterManifest, _card: AdapterCard) -> str | None:
    lossy = true.retrieve_fidelity == "lossy"
    return "manifest says retrieve_fidelity='lossy'" if lossy else None


def _no_tags_in_hits(true: MemoryAdapterManifest, _card: AdapterCard) -> str | None:
    return None if true.search_returns_tags else "manifest says search_returns_tags=False"


def _one_kind(_manifest: MemoryAdapterManifest, card: AdapterCard) -> str | None:
    return None if len(card.content) > 1 else f"card says that content is {min(card.content)} only"


def _titled(item: Any) -> Any:
    return item.model_copy(update={"tags": [tag.title() for tag in item.tags]})


def _none(
    name: str, make: Callable[[Any, Shared], Any], story: str, *, case: str = "card.coherent",
    names: str = "L2", unless: Unless = always,
) -> Fault:  # fmt: skip
    return fault(
        f"card.{name}", make, case=case, names=names, probe=claims, unless=unless, story=story
    )


def _false(
    name: str, lie: Lie, story: str, *, case: str, names: str, unless: Unless = always,
    retrieved: Weaken | None = None,
) -> Fault:  # fmt: skip
    return fault(
        f"card.{name}", partial(Telling, lie=lie, retrieved=retrieved), case=case, names=names,
        probe=claims, unless=unless, story=story,
    )  # fmt: skip


FAULTS: Final = (
    _none("none", _Uncarded, "There is no card."),
    _none("is-a-mapping", partial(_Carded, made=dict), "The card is a dictionary."),
    _none(
        "is-a-text", partial(_Carded, made=lambda _: "see the README"),
        "The card is a text that points to a page.", case="search.tags", names="Q1",
    ),
    _none(
        "is-nothing", partial(_Carded, made=lambda _: None), "The card is None.",
        case="filters.supported", names="manifest.supported_filters", unless=_no_filters,
    ),
    _none(
        "is-its-class", partial(_Carded, made=type), "The card is the class, not an instance.",
        case="manifest.accuracy", names="C17",
    ),
    _false(
        "of-another-adapter", _saying(adapter="acme"), "The card is that of another adapter.",
        case="card.coherent", names="manifest.adapter",
    ),
    _false(
        "default-of-a-kept-field", _one_default_more,
        "The card gives the default of a field that is not dropped.",
        case="card.coherent", names="manifest.dropped_item_fields",
    ),
    _false(
        "hits-lack-tags", _saying(absent_in_hits={"tags": []}),
        "The card says that hits lack tags, and the manifest that they hold them.",
        case="card.coherent", names="manifest.search_returns_tags", unless=_no_tags_in_hits,
    ),
    _false(
        "hits-lack-times", _hits_without_times,
        "The card says that hits lack created_at, and they hold it.",
        case="fidelity.created_at", names="card.absent_in_hits", unless=no_times,
    ),
    _false(
        "names-a-loss", _loss_of_nothing,
        "The card names a loss, and the manifest says that there is none.",
        case="card.coherent", names="manifest.retrieve_fidelity", unless=_lossy_already,
    ),
    _false(
        "loss-does-not-happen", _one_loss_more, "The card names a loss that does not happen.",
        case="card.losses", names="card.losses",
    ),
    _false(
        "loss-happens-otherwise", _lossy(_LOSS),
        "The card names a loss, and something else becomes of the value.",
        case="card.losses", names="card.losses", retrieved=_titled,
    ),
    _false(
        "names-no-loss", _lossy(), "The manifest says that retrieval loses, the card not what.",
        case="card.losses", names="card.losses",
    ),
    _false(
        "refusal-does-not-happen", _one_refusal_more,
        "The card says that a value is refused, and it is taken.",
        case="store.hostile", names="card.refusals",
    ),
    _false(
        "takes-more", _saying(content=frozenset({"text"})),
        "The card says that content is text only, and mappings are taken.",
        case="card.content", names="card.content", unless=_one_kind,
    ),
    _false(
        "tag-match", _flag("tag_match", "any", "all"),
        "The card says any where all tags must match, or all where any will do.",
        case="search.tags", names="Q1",
    ),
    _false(
        "tag-case", _flag("tag_case", "sensitive", "insensitive"),
        "The card says the opposite of how tags compare letters.",
        case="search.tags", names="Q1",
    ),
    _false(
        "filter-unexplained", _filters(lambda known: known[1:]),
        "The card does not say what a supported filter means.",
        case="card.coherent", names="manifest.supported_filters", unless=_no_filters,
    ),
    _false(
        "filter-explained-twice", _filters(lambda known: (*known, known[0])),
        "The card says twice what a filter means.",
        case="card.coherent", names="manifest.supported_filters", unless=_no_filters,
    ),
    _false(
        "filter-elsewhere", _filters(_swapped_paths),
        "The card says that a filter works on the field of another one.",
        case="filters.supported", names="manifest.supported_filters", unless=_one_path,
    ),
    _false(
        "filter-opposite",
        _each_filter(matching=lambda one: one.other, other=lambda one: one.matching),
        "The examples of a filter show the opposite of what it finds.",
        case="filters.supported", names="manifest.supported_filters", unless=_no_filters,
    ),
    _false(
        "filter-sent-otherwise", _each_filter(wire=lambda one: f"where {one.key} is like it"),
        "The card shows a request that is never sent.",
        case="filters.mapping", names="manifest.supported_filters", unless=_no_filters,
    ),
)  # fmt: skip
