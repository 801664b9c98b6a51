"""The fake transport: its journal, and each fault that can be planted."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from memory_fidelity.fake.behaviour import FULL
from memory_fidelity.fake.service import FakeRejected, FakeService
from memory_fidelity.fake.transport import FakeConnectionError, FakeTransport
from memory_fidelity.json_codec import decode
from memory_fidelity.testing.harness import Call

RECORD = {"id": "a", "kind": "memory", "content": "text", "tags": []}
QUERY: dict[str, Any] = {"kind": "memory", "text": None, "tags": [], "filters": {}, "limit": 10}


class Line:
    """A service, and one transport to it."""

    def __init__(self) -> None:
        self.service = FakeService(FULL)
        self.transport = FakeTransport(self.service)

    async def put(self) -> Any:
        """Write the record."""
        return await self._asked("put", {"record": RECORD})

    async def get(self) -> Any:
        """Read the record."""
        return await self._asked("get", {"id": "a"})

    async def find(self) -> Any:
        """Search for anything."""
        return await self._asked("find", QUERY)

    def holds(self) -> bool:
        """Whether the service has the record."""
        return self.service.holds("n", "a")

    async def _asked(self, operation: str, payload: dict[str, Any]) -> Any:
        reply = await self.transport.request(operation, {"namespace": "n", **payload})
        return decode(reply.decode())


def test_journal_shows_requests_as_they_were_sent() -> None:
    """Each request is kept with its operation and its text, oldest first."""
    line = Line()

    asyncio.run(line.get())

    assert line.transport.calls == (Call("get", '{"namespace":"n","id":"a"}'),)


def test_request_without_connection_is_in_the_journal() -> None:
    """A request that fails was a request, and nothing reaches the service."""
    line = Line()
    line.transport.disconnect()

    with pytest.raises(FakeConnectionError):
        asyncio.run(line.put())

    assert [call.operation for call in line.transport.calls] == ["put"]
    assert not line.holds()


def test_refused_write_is_not_made() -> None:
    """The service refuses once, and takes the next write."""
    line = Line()
    line.transport.plant("refuse")

    with pytest.raises(FakeRejected):
        asyncio.run(line.put())

    assert not line.holds()
    assert asyncio.run(line.put()) == {"id": "a"}


def test_withheld_identity_is_null() -> None:
    """The write is made, and its reply does not say which record it wrote."""
    line = Line()
    line.transport.plant("withhold")

    assert asyncio.run(line.put()) == {"id": None}
    assert line.holds()


def test_broken_call_reaches_the_service() -> None:
    """The write is made, and the caller learns of a lost connection only."""
    line = Line()
    line.transport.plant("break")

    with pytest.raises(FakeConnectionError, match="lost"):
        asyncio.run(line.put())

    assert line.holds()


def test_corrupted_read_is_no_record() -> None:
    """The reply is JSON of the right kind, with an identity that is none."""
    line = Line()
    line.transport.plant("corrupt")

    reply = asyncio.run(line.get())

    assert reply["found"]["id"] == 7


def test_corrupted_search_is_no_record() -> None:
    """The reply holds one hit, with an identity that is none."""
    line = Line()
    line.transport.plant("corrupt")

    reply = asyncio.run(line.find())

    assert [hit["id"] for hit in reply["found"]] == [7]


def test_miss_hides_a_record_from_one_read() -> None:
    """The record is there, and one read does not see it."""
    line = Line()
    asyncio.run(line.put())
    line.transport.plant("miss")

    assert asyncio.run(line.get()) == {"found": None}
    assert asyncio.run(line.get())["found"]["id"] == "a"


def test_miss_hides_records_from_one_search() -> None:
    """The record is indexed, and one search does not see it."""
    line = Line()
    asyncio.run(line.put())
    line.transport.plant("miss")

    assert asyncio.run(line.find()) == {"found": []}
    assert len(asyncio.run(line.find())["found"]) == 1


def test_fault_waits_for_a_call_that_it_can_happen_to() -> None:
    """A read passes a fault of writes by."""
    line = Line()
    line.transport.plant("refuse")

    assert asyncio.run(line.get()) == {"found": None}
    with pytest.raises(FakeRejected):
        asyncio.run(line.put())


def test_hanging_write_is_answered_after_resume() -> None:
    """The write is made at once, and its reply comes when the service answers again."""
    line = Line()

    async def scenario() -> tuple[bool, bool, Any]:
        line.transport.plant("hang")
        write = asyncio.create_task(line.put())
        other = await asyncio.create_task(line.get())
        pending = not write.done()
        line.transport.resume()
        return pending, other["found"] is not None, await write

    assert asyncio.run(scenario()) == (True, True, {"id": "a"})


def test_resume_before_the_write_leaves_nothing_to_hang() -> None:
    """A write after resume is answered at once."""
    line = Line()
    line.transport.plant("hang")
    line.transport.resume()

    assert asyncio.run(asyncio.wait_for(line.put(), timeout=5)) == {"id": "a"}
