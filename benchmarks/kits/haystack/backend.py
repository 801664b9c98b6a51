"""`InMemoryDocumentStore` with faults, its door, and the kit that it is judged by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from benchmarks.kits.door import Broken, Door, Found, Record, attempt
from benchmarks.kits.faults import as_text, keeps
from benchmarks.kits.kit import Kit, Outcome
from benchmarks.kits.pytest_kit import SWITCHES, run_pytest

__all__ = ["KIT"]


class Mutant:
    """Goes before `InMemoryDocumentStore`; its async methods end here, too."""

    fault: str | None

    def write_documents(self, documents: Any, *policy: Any, **named: Any) -> Any:
        up: Any = super()
        store: Any = self
        kept = self._kept(documents)
        remembered = self.fault in {"write.second-ignored", "write.only-first-of-batch"}
        before = {**store.storage} if remembered else {}
        answer = attempt(
            self.fault == "write.error-is-success",
            lambda: up.write_documents(kept, *policy, **named),
            len(documents),
        )
        if self.fault == "write.second-ignored":
            store.storage.update(before)
        if self.fault == "write.only-first-of-batch":
            for each in documents[1:]:
                if each.id not in before:
                    store.storage.pop(each.id, None)
        return answer

    def delete_documents(self, document_ids: Any) -> None:
        up: Any = super()
        if self.fault != "delete.ignored":
            up.delete_documents(document_ids)

    def filter_documents(self, filters: Any = None) -> Any:
        up: Any = super()
        if self.fault == "search.filter-ignored":
            filters = None
        if self.fault == "search.filter-as-text" and filters:
            return self._filtered_as_text(filters)
        hits: Any = attempt(
            self.fault == "search.error-is-nothing", lambda: up.filter_documents(filters), []
        )
        return [hit for hit in hits for _ in range(2)] if self.fault == _TWICE else hits

    def _kept(self, documents: Any) -> Any:
        document: Any = import_module("haystack").Document
        if not isinstance(documents, list) or not all(
            isinstance(each, document) for each in documents
        ):
            return documents
        return [self._altered(each) for each in documents]

    def _altered(self, document: Any) -> Any:
        text, metadata = keeps(self.fault, document.content, document.meta)
        if text == document.content and metadata is document.meta:
            return document
        return replace(document, content=text, meta=metadata)

    def _filtered_as_text(self, filters: Any) -> Any:
        up: Any = super()
        up._validate_filters(filters)
        matches = import_module("haystack.utils.filters").document_matches_filter
        wanted = as_text(filters)
        return [
            each
            for each in up.filter_documents()
            if matches(filters=wanted, document=replace(each, meta=as_text(each.meta)))
        ]


class DocumentStoreDoor:
    """A document for each record; a direct read is a filter for one identity."""

    def __init__(self, backend: type) -> None:
        self._store: Any = backend(shared=False)
        self._document: Any = import_module("haystack").Document
        self._replace: Any = import_module(
            "haystack.document_stores.types"
        ).DuplicatePolicy.OVERWRITE

    async def write(self, *records: Record) -> Sequence[str]:
        documents = [
            self._document(id=record.key, content=record.text, meta={**record.metadata})
            for record in records
        ]
        self._store.write_documents(documents, policy=self._replace)
        return [record.key for record in records]

    async def read(self, key: str, scope: str = "a") -> Found | None:
        hits = self._store.filter_documents({"field": "id", "operator": "==", "value": key})
        return next(map(_found, hits), None)

    async def search(
        self, filters: Mapping[str, Any] | None = None, limit: int | None = None
    ) -> Sequence[Found]:
        conditions = [
            {"field": f"meta.{key}", "operator": "==", "value": value}
            for key, value in (filters or {}).items()
        ]
        asked = {"operator": "AND", "conditions": conditions} if conditions else None
        return [_found(hit) for hit in self._store.filter_documents(asked)]

    async def delete(self, key: str) -> None:
        self._store.delete_documents([key])

    def break_storage(self) -> None:
        self._store._local_storage = Broken()


def _found(native: Any) -> Found:
    return Found(native.id, native.content, native.meta)


def _plain() -> type:
    module = import_module("haystack.document_stores.in_memory")
    store: type = module.InMemoryDocumentStore
    return store


def _faulty(fault: str | None) -> type:
    return type("Faulty", (Mutant, _plain()), {"fault": fault})


def _door(backend: type) -> Door:
    return DocumentStoreDoor(backend)


def _run(backend: type, switch: str | None) -> Outcome:
    return run_pytest(Path(__file__).with_name("judged.py"), backend, switch)


_TWICE: Final = "search.hits-twice"
_NO_PROMISE: Final = "no failing storage is mentioned"
_NO_READ: Final = "`DocumentStore` has no retrieval by identity"
_NO_LIMIT: Final = "`DocumentStore` has no search with a limit"

KIT: Final = Kit(
    title="Haystack's document store mixins",
    distributions=("haystack-ai",),
    backend="InMemoryDocumentStore",
    what_runs="DocumentStoreBaseExtendedTests and the five mixins about metadata, sync",
    plain=_plain,
    faulty=_faulty,
    door=_door,
    left_out={
        "time.to-the-second": "a document has no time",
        "write.wrong-identity": "a write acknowledges a number, no identity",
        "read.unknown-is-newest": _NO_READ,
        "read.shared": "the backend itself returns the documents that it holds",
        "read.error-is-nothing": _NO_READ,
        "search.limit-ignored": _NO_LIMIT,
        "search.limit-zero-is-all": _NO_LIMIT,
        "search.hits-without-metadata": "one method answers every read",
        "scope.prefix-leaks": "a document store has no namespaces",
    },
    beyond={"write.error-is-success": _NO_PROMISE, "search.error-is-nothing": _NO_PROMISE},
    run=_run,
    switches=SWITCHES,
)
