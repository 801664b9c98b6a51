"""What a khive store is told when it is made; nothing is started by that."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from memory_fidelity import MemoryAdapterUnavailable, MemoryItem
from memory_fidelity.adapters.khive import KhiveMemoryStore, McpServer, khive_server

NOWHERE = McpServer(("/nowhere/kkernel", "mcp"))


@pytest.mark.parametrize(
    ("setting", "value", "expected"),
    [
        pytest.param(
            "profile",
            "whole",
            "profile: expected one of envelope, plain, got 'whole'",
            id="unknown-profile",
        ),
        pytest.param("profile", None, "profile: expected one of .*, got None", id="no-profile"),
        pytest.param("namespace", "", "namespace: expected 1 to 256 .*, got ''", id="empty"),
        pytest.param("namespace", "n" * 257, "namespace: expected 1 to 256 letters", id="long"),
        pytest.param("namespace", "a b", "namespace: .*, got 'a b'", id="blank"),
        pytest.param("namespace", "tea\n", r"namespace: .*, got 'tea\\n'", id="line-end"),
        pytest.param("namespace", "thé", "namespace: .* of ASCII, .*, got 'thé'", id="non-ascii"),
        pytest.param("namespace", 'a"', "namespace: .*, got 'a\"'", id="quote"),
        pytest.param("namespace", None, "namespace: .*, got None", id="no-namespace"),
        pytest.param("timeout", 0, "timeout: expected more than 0 seconds, .*, got 0", id="zero"),
        pytest.param("timeout", -1.0, "timeout: .*, got -1.0", id="negative"),
        pytest.param("timeout", float("inf"), "timeout: .* an end, got inf", id="no-end"),
        pytest.param("timeout", float("nan"), "timeout: .*, got nan", id="no-number"),
        pytest.param("concurrency", 0, "concurrency: expected 1 to 16, got 0", id="none-at-once"),
        pytest.param("concurrency", 17, "concurrency: expected 1 to 16, got 17", id="too-many"),
        pytest.param("concurrency", 2.5, "concurrency: .*, got 2.5", id="no-integer"),
    ],
)
def test_a_value_that_is_not_offered_is_refused(setting: str, value: Any, expected: str) -> None:
    """The error names the setting, what was expected and what was given."""
    with pytest.raises(ValueError, match=f"^{expected}"):
        KhiveMemoryStore(NOWHERE, **{setting: value})


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param({"namespace": "n" * 256}, id="longest-namespace"),
        pytest.param({"namespace": "a.B_9:-"}, id="every-sign"),
        pytest.param({"timeout": 0.001}, id="short-timeout"),
        pytest.param({"concurrency": 1}, id="one-at-once"),
        pytest.param({"concurrency": 16}, id="most-at-once"),
    ],
)
def test_the_outermost_values_are_taken(settings: dict[str, Any]) -> None:
    """A card that agrees with the manifest is made of them, and nothing is started."""
    store = KhiveMemoryStore(NOWHERE, **settings)

    assert store.card.disagreements(store.manifest) == ()


@pytest.mark.parametrize(
    ("settings", "adapter", "consistency", "dropped"),
    [
        pytest.param({}, "khive", "immediate", set(), id="envelope"),
        pytest.param(
            {"profile": "plain"},
            "khive-plain",
            "immediate",
            {"created_at", "metadata"},
            id="plain",
        ),
        pytest.param({"embeddings": True}, "khive-embeddings", "eventual", set(), id="embeddings"),
    ],
)
def test_the_manifest_says_what_is_configured(
    settings: dict[str, Any], adapter: str, consistency: str, dropped: set[str]
) -> None:
    """Each configuration publishes its own, under a name of its own (M9)."""
    manifest = KhiveMemoryStore(NOWHERE, **settings).manifest

    assert (manifest.adapter, manifest.search_consistency) == (adapter, consistency)
    assert manifest.dropped_item_fields == dropped
    assert manifest.supported_filters == frozenset()
    assert manifest.preserves_metadata is not bool(dropped)


def test_the_card_tells_the_settings() -> None:
    """Namespace, timeout and concurrency stand where an owner looks for them (L2)."""
    store = KhiveMemoryStore(NOWHERE, namespace="tea", timeout=7.5, concurrency=3)

    lifecycle = store.card.lifecycle

    assert "'tea'" in lifecycle.scope
    assert "7.5 s" in lifecycle.timeouts
    assert "up to 3 requests" in lifecycle.concurrency


def test_a_program_that_is_missing_shows_at_the_first_call() -> None:
    """Not when the store is made (E3)."""
    store = KhiveMemoryStore(NOWHERE)

    with pytest.raises(MemoryAdapterUnavailable) as caught:
        asyncio.run(store.retrieve(MemoryItem(content="tea").id))

    assert isinstance(caught.value.__cause__, ConnectionError)


@pytest.mark.parametrize(
    ("settings", "flags", "embeds"),
    [
        pytest.param({}, ["--no-embed"], "true", id="immediate"),
        pytest.param({"embeddings": True}, [], "false", id="embeddings"),
    ],
)
def test_how_khive_is_started(settings: dict[str, bool], flags: list[str], embeds: str) -> None:
    """Without a daemon that would outlive it, and with embeddings only where they are asked for."""
    server = khive_server(Path("/data/memory.db"), program="/opt/kkernel", **settings)

    assert server.command == ("/opt/kkernel", "mcp", "--db", "/data/memory.db", *flags)
    assert server.environment == {"KHIVE_NO_DAEMON": "1", "KHIVE_NO_EMBED": embeds}


def test_the_program_is_looked_for_by_its_name() -> None:
    """Unless it is a path; the file of the database is taken as it is written."""
    assert khive_server("a b;c.db").command[:4] == ("kkernel", "mcp", "--db", "a b;c.db")


def test_an_environment_is_not_shown() -> None:
    """It may hold secrets, which neither the server nor a store nor an error tells."""
    server = McpServer(("/nowhere/kkernel",), {"API_KEY": "hunter-2"})
    store = KhiveMemoryStore(server)

    with pytest.raises(MemoryAdapterUnavailable) as caught:
        asyncio.run(store.retrieve(MemoryItem(content="tea").id))

    shown = f"{server!r} {store!r} {vars(store)!r} {caught.value!r} {caught.value.__cause__!r}"
    assert "hunter-2" not in shown


def test_without_its_client_the_import_says_which_extra_it_needs() -> None:
    """Where `mcp` is not installed."""
    hidden = "import sys; sys.modules['mcp'] = None; import memory_fidelity.adapters.khive"

    run = subprocess.run([sys.executable, "-c", hidden], capture_output=True, text=True)

    assert run.returncode == 1
    assert run.stderr.endswith(
        "needs mcp, which comes with the extra `khive`: pip install 'memory-fidelity[khive]'\n"
    )


def test_making_a_store_starts_nothing(khive_program: str, tmp_path: Path) -> None:
    """No process has made the database, and closing the store makes none either."""
    database = tmp_path / "khive.db"
    store = KhiveMemoryStore(khive_server(database, program=khive_program))

    asyncio.run(store.close())

    assert not database.exists()


def test_a_closed_store_starts_nothing() -> None:
    """Each call is an outage, and closing twice is safe (L4)."""

    async def close_and_call() -> None:
        store = KhiveMemoryStore(NOWHERE)
        await store.close()
        await store.close()
        await store.retrieve(MemoryItem(content="tea").id)

    with pytest.raises(MemoryAdapterUnavailable) as caught:
        asyncio.run(close_and_call())

    assert str(caught.value.__cause__) == "the session was closed"
