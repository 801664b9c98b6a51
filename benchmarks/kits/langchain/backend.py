"""`InMemoryVectorStore` with faults, its door, and the kit that it is judged by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from benchmarks.kits.door import Broken, Door, Found, Record, attempt
from benchmarks.kits.faults import as_text, keeps
from benchmarks.kits.kit import Kit, Outcome
from benchmarks.kits.pytest_kit import SWITCHES, run_pytest

__all__ = ["KIT"]

_BOTH_OFF: Final = "has_sync and has_async false"


class Mutant:
    """Goes before `InMemoryVectorStore`; its async methods end here, too."""

    fault: str | None

    def add_documents(self, documents: Any, ids: Any = None, **more: Any) -> Any:
        up: Any = super()
        store: Any = self
        before = {**store.store} if self.fault == "write.second-ignored" else {}
        kept = [self._kept(document) for document in documents]
        answer = attempt(
            self.fault == "write.error-is-success",
            lambda: up.add_documents(kept, ids, **more),
            ids or [document.id for document in documents],
        )
        if self.fault == "write.second-ignored":
            store.store.update(before)
        if self.fault == "write.only-first-of-batch":
            for each in answer[1:]:
                store.store.pop(each, None)
        if self.fault == "write.wrong-identity":
            return [f"{each}-other" for each in answer]
        return answer

    async def aadd_documents(self, documents: Any, ids: Any = None, **more: Any) -> Any:
        return self.add_documents(documents, ids, **more)

    def delete(self, ids: Any = None, **more: Any) -> None:
        up: Any = super()
        if self.fault != "delete.ignored":
            up.delete(ids, **more)

    def get_by_ids(self, ids: Any, /) -> Any:
        up: Any = super()
        store: Any = self
        found: Any = attempt(self.fault == "read.error-is-nothing", lambda: up.get_by_ids(ids), [])
        if self.fault == "read.unknown-is-newest" and store.store and len(found) < len(ids):
            return [*found, *up.get_by_ids([[*store.store][-1]])]
        return found

    def _similarity_search_with_score_by_vector(
        self,
        embedding: Any,
        k: int = 4,
        filter: Any = None,  # noqa: A002 - the name that the backend gives it
    ) -> Any:
        up: Any = super()
        if self.fault == "search.limit-ignored":
            k = 1_000
        if self.fault == "search.limit-zero-is-all":
            k = k or 1_000
        hits: Any = attempt(
            self.fault == "search.error-is-nothing",
            lambda: up._similarity_search_with_score_by_vector(embedding, k, self._filter(filter)),
            [],
        )
        if self.fault == "search.hits-twice":
            return [hit for hit in hits for _ in range(2)]
        if self.fault == "search.hits-without-metadata":
            return [(hit.model_copy(update={"metadata": {}}), *more) for hit, *more in hits]
        return hits

    def _kept(self, document: Any) -> Any:
        text, metadata = keeps(self.fault, document.page_content, document.metadata)
        return document.model_copy(update={"page_content": text, "metadata": metadata})

    def _filter(self, asked: Any) -> Any:
        if asked is None or self.fault == "search.filter-ignored":
            return None
        if self.fault != "search.filter-as-text":
            return asked
        return lambda document: asked(
            document.model_copy(update={"metadata": as_text(document.metadata)})
        )


class VectorStoreDoor:
    """A document for each record."""

    def __init__(self, backend: type) -> None:
        embedding = import_module("langchain_core.embeddings").DeterministicFakeEmbedding(size=6)
        self._store: Any = backend(embedding)
        self._document: Any = import_module("langchain_core.documents").Document

    async def write(self, *records: Record) -> Sequence[str]:
        documents = [
            self._document(page_content=record.text, metadata={**record.metadata}, id=record.key)
            for record in records
        ]
        answer: list[str] = self._store.add_documents(documents)
        return answer

    async def read(self, key: str, scope: str = "a") -> Found | None:
        return next(map(_found, self._store.get_by_ids([key])), None)

    async def search(
        self, filters: Mapping[str, Any] | None = None, limit: int | None = None
    ) -> Sequence[Found]:
        wanted = (filters or {}).items()
        hits = self._store.similarity_search(
            "anything",
            k=4 if limit is None else limit,
            filter=lambda document: wanted <= document.metadata.items(),
        )
        return [_found(hit) for hit in hits]

    async def delete(self, key: str) -> None:
        self._store.delete([key])

    def break_storage(self) -> None:
        self._store.store = Broken()


def _found(native: Any) -> Found:
    return Found(native.id, native.page_content, native.metadata)


def _plain() -> type:
    store: type = import_module("langchain_core.vectorstores").InMemoryVectorStore
    return store


def _faulty(fault: str | None) -> type:
    return type("Faulty", (Mutant, _plain()), {"fault": fault})


def _door(backend: type) -> Door:
    return VectorStoreDoor(backend)


def _run(backend: type, switch: str | None) -> Outcome:
    suite = "nothing_judged.py" if switch == _BOTH_OFF else "judged.py"
    return run_pytest(Path(__file__).with_name(suite), backend, switch)


_NO_PROMISE: Final = "no failing storage is mentioned"
_FILTER: Final = "`VectorStore` has no filter: each store takes one in its own way"

KIT: Final = Kit(
    title="langchain-tests",
    distributions=("langchain-tests", "langchain-core"),
    backend="InMemoryVectorStore",
    what_runs="VectorStoreIntegrationTests, sync and async",
    plain=_plain,
    faulty=_faulty,
    door=_door,
    left_out={
        "time.to-the-second": "a document has no time",
        "read.shared": "the backend itself shares the metadata of its results",
        "scope.prefix-leaks": "a vector store has no namespaces",
    },
    beyond={
        "write.error-is-success": _NO_PROMISE,
        "read.error-is-nothing": _NO_PROMISE,
        "search.error-is-nothing": _NO_PROMISE,
        "search.filter-ignored": _FILTER,
        "search.filter-as-text": _FILTER,
        "search.limit-zero-is-all": "that `k` may be 0 is not stated",
    },
    run=_run,
    switches={
        _BOTH_OFF: "the two properties by which an author says what is supported",
        "expected to fail": SWITCHES["expected to fail"],
    },
)
