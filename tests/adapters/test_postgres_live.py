"""The live lane of PostgreSQL on servers of the reader's own, named by the environment."""

from __future__ import annotations

import asyncio

import pytest

from memory_fidelity.adapters.postgres_cluster import shared
from memory_fidelity.adapters.postgres_live import LivePostgres, LivePostgresReplica
from memory_fidelity.testing import check_sync
from memory_fidelity.testing.harness import HarnessFactory, ServiceMissing

_PRIMARY = "MEMORY_FIDELITY_POSTGRES"
_REPLICA = "MEMORY_FIDELITY_POSTGRES_REPLICA"


@pytest.mark.usefixtures("servers")
@pytest.mark.parametrize("harness", [LivePostgres, LivePostgresReplica])
def test_the_lane_runs_on_servers_that_are_named(
    harness: HarnessFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same cases, through the same relays; nothing is started."""
    monkeypatch.setenv(_PRIMARY, shared().primary.conninfo())
    monkeypatch.setenv(_REPLICA, shared().standby.conninfo())
    monkeypatch.setattr("memory_fidelity.adapters.postgres_cluster.shared", pytest.fail)

    report = check_sync(live=harness, only="search.limit*")

    outcomes = {result.case: result.outcome for result in report.lanes[0].results}
    assert {outcomes["search.limit"], outcomes["search.limit.zero"]} == {"pass"}


@pytest.mark.parametrize(
    ("variables", "reason"),
    [
        pytest.param(
            {_PRIMARY: "host=127.0.0.1"}, f"{_PRIMARY} is set, and {_REPLICA} is not", id="alone"
        ),
        pytest.param(
            {_PRIMARY: "dbname=memory password=hunter-2", _REPLICA: "host=127.0.0.1"},
            f"{_PRIMARY}: expected a host",
            id="no-host",
        ),
        pytest.param(
            {_PRIMARY: "host=127.0.0.1", _REPLICA: "host=/run/postgresql"},
            f"{_REPLICA}: expected a host",
            id="socket",
        ),
    ],
)
def test_servers_that_cannot_be_relayed_to_are_missing(
    variables: dict[str, str], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reason names the variable, and quotes nothing of it."""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)

    with pytest.raises(ServiceMissing, match=reason) as caught:
        asyncio.run(LivePostgresReplica().make_store())

    assert "hunter-2" not in str(caught.value)
