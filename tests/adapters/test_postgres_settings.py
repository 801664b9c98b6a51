"""What a PostgreSQL store is told when it is made; nothing is opened by that."""

from __future__ import annotations

from typing import Any

import pytest

from memory_fidelity.adapters.postgres import PostgresMemoryStore

_NOWHERE = "host=127.0.0.1 port=1"


@pytest.mark.parametrize(
    ("setting", "value", "expected"),
    [
        pytest.param("namespace", "", "namespace: expected 1 to 200 characters", id="empty"),
        pytest.param("namespace", "n" * 201, "namespace: expected 1 to 200", id="long"),
        pytest.param("namespace", "a\x00", "namespace: .* without NUL, got 'a", id="nul"),
        pytest.param("namespace", "\ud83d", "namespace: expected whole characters", id="half"),
        pytest.param("filters", ["\udc00"], "filters: expected whole characters", id="half-key"),
        pytest.param("timeout", 0, "timeout: expected more than 0 seconds", id="no-time"),
        pytest.param("timeout", float("inf"), "timeout: .* and an end", id="no-end"),
        pytest.param("timeout", float("nan"), "timeout: .* got nan", id="no-number"),
        pytest.param("pool_size", 0, "pool_size: expected 1 or more, got 0", id="no-pool"),
        pytest.param("remote_apply", True, "remote_apply: expected a replica", id="no-replica"),
        pytest.param("replica", "port", "replica: expected a connection string", id="no-dsn"),
    ],
)
def test_a_value_that_is_not_offered_is_refused(setting: str, value: Any, expected: str) -> None:
    """The error names the setting, what was expected and what was given."""
    settings = {"namespace": "tea", setting: value}

    with pytest.raises(ValueError, match=expected):
        PostgresMemoryStore(_NOWHERE, **settings)


@pytest.mark.parametrize(
    ("setting", "value", "expected"),
    [
        pytest.param("namespace", None, "namespace: expected str, got NoneType", id="namespace"),
        pytest.param("filters", "user", "filters: expected several metadata keys", id="one-key"),
        pytest.param("filters", [1], "filters: expected several metadata keys", id="int-key"),
    ],
)
def test_a_value_of_another_type_is_refused(setting: str, value: Any, expected: str) -> None:
    """A single str is not taken for the list of its characters."""
    settings = {"namespace": "tea", setting: value}

    with pytest.raises(TypeError, match=expected):
        PostgresMemoryStore(_NOWHERE, **settings)


@pytest.mark.parametrize(
    ("settings", "adapter", "consistency"),
    [
        pytest.param({}, "postgres", "immediate", id="primary"),
        pytest.param({"replica": _NOWHERE}, "postgres-replica", "eventual", id="replica"),
        pytest.param(
            {"replica": _NOWHERE, "remote_apply": True},
            "postgres-remote-apply",
            "immediate",
            id="remote-apply",
        ),
    ],
)
def test_the_manifest_says_what_is_configured(
    settings: dict[str, Any], adapter: str, consistency: str
) -> None:
    """Each profile publishes its own manifest, and a card that agrees with it (M9)."""
    store = PostgresMemoryStore(_NOWHERE, namespace="tea", filters=["user"], **settings)

    assert (store.manifest.adapter, store.manifest.search_consistency) == (adapter, consistency)
    assert store.manifest.supported_filters == {"user"}
    assert store.card.disagreements(store.manifest) == ()
    assert "'tea'" in store.card.lifecycle.scope
    assert "10 s" in store.card.lifecycle.timeouts
