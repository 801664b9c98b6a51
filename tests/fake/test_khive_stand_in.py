"""The service of a lesson is one folder, made and removed."""

from __future__ import annotations

from pathlib import Path

from memory_fidelity.fake.khive_server import Memories
from memory_fidelity.fake.khive_stand_in import KhiveStandIn


def folder(service: KhiveStandIn) -> Path:
    """Where its processes work."""
    return Path(service.mcp_config["args"][-1])


def test_it_shows_what_it_has() -> None:
    """Nothing at first, then every record, until they are forgotten."""
    with KhiveStandIn() as service:
        empty = service.records()
        Memories(folder(service)).do("memory.remember", {"content": "green tea"})
        kept = [record["content"] for record in service.records()]
        service.forget()

        assert (empty, kept, service.records()) == ([], ["green tea"], [])


def test_recovering_is_safe_without_an_outage() -> None:
    """There is nothing to undo, and nothing is lost."""
    with KhiveStandIn() as service:
        service.recover()

        assert list(folder(service).iterdir()) == []


def test_closing_removes_its_folder() -> None:
    """Twice is safe."""
    service = KhiveStandIn()
    place = folder(service)

    service.close()
    service.close()

    assert not place.exists()
