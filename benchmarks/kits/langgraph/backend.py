"""`InMemorySaver` with faults, its door, and the kit that it is judged by."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from importlib import import_module
from typing import Any, Final
from uuid import uuid4

from benchmarks.kits.door import Broken, Door, Found, Record, attempt
from benchmarks.kits.faults import as_text, keeps
from benchmarks.kits.kit import Kit, Outcome

__all__ = ["KIT"]

_THREAD: Final = "thread"


class Mutant:
    """Goes before `InMemorySaver`, whose async methods call these.

    Text is what channels and pending writes hold; metadata is the checkpoint's.
    """

    fault: str | None

    def put(self, config: Any, checkpoint: Any, metadata: Any, new_versions: Any) -> Any:
        up: Any = super()
        place = config["configurable"]
        written = {"configurable": {**place, "checkpoint_id": checkpoint["id"]}}
        if self.fault == "write.second-ignored" and up.get_tuple(written):
            return written
        values, kept = keeps(self.fault, checkpoint["channel_values"], metadata)
        changed = {**checkpoint, "channel_values": values}
        if self.fault == "time.to-the-second":
            time = datetime.fromisoformat(checkpoint["ts"]).replace(microsecond=0)
            changed["ts"] = time.isoformat()
        answer = attempt(
            self.fault == "write.error-is-success",
            lambda: up.put(config, changed, kept, new_versions),
            written,
        )
        if self.fault == "write.wrong-identity":
            return {"configurable": {**answer["configurable"], "checkpoint_id": str(uuid4())}}
        return answer

    def put_writes(self, config: Any, writes: Any, task_id: str, task_path: str = "") -> None:
        up: Any = super()
        kept = [(channel, keeps(self.fault, value, {})[0]) for channel, value in writes]
        attempt(
            self.fault == "write.error-is-success",
            lambda: up.put_writes(config, kept, task_id, task_path),
            None,
        )

    def get_tuple(self, config: Any) -> Any:
        up: Any = super()
        found = attempt(self.fault == "read.error-is-nothing", lambda: up.get_tuple(config), None)
        if found is None and self.fault == "read.unknown-is-newest":
            place = {**config["configurable"]}
            place.pop("checkpoint_id", None)
            return up.get_tuple({"configurable": place})
        if found is None and self.fault == "scope.prefix-leaks":
            others = (up.get_tuple(other) for other in self._leaking(config))
            return next(filter(None, others), None)
        return self._shared(found) if self.fault == "read.shared" else found

    def list(
        self,
        config: Any,
        *,
        filter: Any = None,  # noqa: A002 - the name that the backend gives it
        before: Any = None,
        limit: Any = None,
    ) -> Iterator[Any]:
        hits: Any = attempt(
            self.fault == "search.error-is-nothing",
            lambda: [*self._found(config, filter, before, limit)],
            [],
        )
        for hit in hits:
            if self.fault == "search.hits-without-metadata":
                yield hit._replace(metadata={})
                continue
            yield hit
            if self.fault == "search.hits-twice":
                yield hit

    def delete_thread(self, thread_id: str) -> None:
        up: Any = super()
        if self.fault != "delete.ignored":
            up.delete_thread(thread_id)

    def _found(self, config: Any, filters: Any, before: Any, limit: Any) -> Sequence[Any]:
        up: Any = super()
        if self.fault == "search.limit-ignored":
            limit = None
        if self.fault == "search.limit-zero-is-all":
            limit = limit or None
        if self.fault == "search.filter-ignored":
            filters = None
        if self.fault == "search.filter-as-text" and filters:
            wanted = as_text(filters).items()
            every = up.list(config, before=before)
            return [hit for hit in every if wanted <= as_text(hit.metadata).items()][:limit]
        places = [config]
        if self.fault == "scope.prefix-leaks" and config:
            places += self._leaking(config)
        return [
            hit
            for place in places
            for hit in up.list(place, filter=filters, before=before, limit=limit)
        ][:limit]

    def _leaking(self, config: Any) -> Sequence[Any]:
        saver: Any = self
        place = config["configurable"]
        own = place.get("checkpoint_ns")
        return [
            {"configurable": {**place, "checkpoint_ns": other}}
            for other in list(saver.storage[place["thread_id"]])
            if own is not None and other != own and other.startswith(own)
        ]

    def _shared(self, found: Any) -> Any:
        given = self.__dict__.setdefault("given", {})
        key = found and found.checkpoint["id"]
        if given.get(key) != found:
            given[key] = found
        return given.get(key)


class SaverDoor:
    """A checkpoint for each record, with one channel."""

    def __init__(self, backend: type) -> None:
        self._saver: Any = backend()

    async def write(self, *records: Record) -> Sequence[str]:
        return [await self._put(record) for record in records]

    async def read(self, key: str, scope: str = "a") -> Found | None:
        found = await self._saver.aget_tuple(_place(scope, key))
        return found and _found(found)

    async def search(
        self, filters: Mapping[str, Any] | None = None, limit: int | None = None
    ) -> Sequence[Found]:
        hits = self._saver.alist(_place("a"), filter=filters, limit=limit)
        return [_found(hit) async for hit in hits]

    async def delete(self, key: str) -> None:
        await self._saver.adelete_thread(_THREAD)

    def break_storage(self) -> None:
        self._saver.storage = Broken()

    async def _put(self, record: Record) -> str:
        checkpoint = {
            "v": 1,
            "id": record.key,
            "ts": "2026-01-02T03:04:05.678901+00:00",
            "channel_values": {"text": record.text},
            "channel_versions": {"text": 1},
            "versions_seen": {},
        }
        metadata = {"source": "input", "step": 0, **record.metadata}
        answer = await self._saver.aput(_place(record.scope), checkpoint, metadata, {"text": 1})
        return str(answer["configurable"]["checkpoint_id"])


def _place(scope: str, key: str | None = None) -> dict[str, Any]:
    named = {} if key is None else {"checkpoint_id": key}
    return {"configurable": {"thread_id": _THREAD, "checkpoint_ns": scope, **named}}


def _found(native: Any) -> Found:
    checkpoint = native.checkpoint
    return Found(
        checkpoint["id"], checkpoint["channel_values"]["text"], native.metadata, checkpoint["ts"]
    )


def _plain() -> type:
    saver: type = import_module("langgraph.checkpoint.memory").InMemorySaver
    return saver


def _faulty(fault: str | None) -> type:
    return type("Faulty", (Mutant, _plain()), {"fault": fault})


def _door(backend: type) -> Door:
    return SaverDoor(backend)


def _run(backend: type, switch: str | None) -> Outcome:
    kit = import_module("langgraph.checkpoint.conformance")
    every = {each.value for each in import_module(f"{kit.__name__}.capabilities").Capability}
    skipped = every if switch == "every capability skipped" else set()

    @kit.checkpointer_test(name="InMemorySaver", skip_capabilities=skipped)  # type: ignore[untyped-decorator] # the kit is not installed here
    async def saver() -> Any:
        yield backend()

    asked = set[str]() if switch == "no capability asked for" else None
    report = asyncio.run(kit.validate(saver, capabilities=asked))
    results = report.results.values()
    return Outcome(
        passed=sum(each.tests_passed for each in results),
        failed=tuple(failure.splitlines()[0] for each in results for failure in each.failures),
        set_aside=sum(each.tests_skipped for each in results),
        says=report.conformance_level(),
    )


_NO_PROMISE: Final = "no failing storage is mentioned"

KIT: Final = Kit(
    title="langgraph-checkpoint-conformance",
    distributions=("langgraph-checkpoint-conformance", "langgraph-checkpoint"),
    backend="InMemorySaver",
    what_runs="validate() with every capability that the backend has",
    plain=_plain,
    faulty=_faulty,
    door=_door,
    left_out={"write.only-first-of-batch": "a checkpoint is written alone"},
    beyond={
        "write.error-is-success": _NO_PROMISE,
        "read.error-is-nothing": _NO_PROMISE,
        "search.error-is-nothing": _NO_PROMISE,
        "search.filter-as-text": "how filters compare values is not stated",
        "read.shared": "that results are copies is not stated",
        "write.second-ignored": "what a second checkpoint of the same id does is not stated",
    },
    run=_run,
    switches={
        "every capability skipped": "`skip_capabilities` names all of them",
        "no capability asked for": "`validate()` is called with an empty set of capabilities",
    },
)
