"""All that an adapter author runs: harness protocols, the suite, its reports.

A harness is a class without arguments, made once per case, with the five async
methods of `MemoryAdapterHarness`:

- `make_store`: return a new adapter over the harness's service;
- `reset`: forget every record;
- `make_search_index_visible`: return once all writes can be found;
- `make_transport_unavailable`: cut the connection, for good;
- `close`: release everything.

That is enough over a live service. Over a fake one, the same object has the
controls, each a protocol of one or two methods:

- `Journal`: `calls()`, every request so far, as it reached the service;
- `PlantsForeignRecord`: `plant_foreign_record()`, write a record of another
  kind, and `holds(identity)`, whether the service has this record, of any kind;
- `OpensScopes`: `open_scope(name)`, make an adapter over the same service in
  another namespace, collection or file, of exactly this name;
- `RejectsWrites`: `reject_next_write()`, the service refuses it;
- `WithholdsIdentity`: `withhold_next_identity()`, a write succeeds, and the
  reply does not say which record it wrote;
- `CorruptsResponses`: `corrupt_next_response()`, the next read or search is
  answered with what is no record;
- `BreaksCalls`: `break_next_call()`, the next call is carried out, and the
  connection lost before the reply;
- `HangsCalls`: `hang_next_write()`, the next write is not answered until
  `resume()`;
- `HangsReads`: `hang_next_read()`, the same for the next retrieve or search;
- `DelaysIndex`: `delay_index()`, writes stay out of search until they are made
  visible. Where the index cannot be delayed it does nothing, and a manifest that
  says `eventual` is found out by that.

All are async, save `calls`. Where an adapter makes every call through one
function, `Rigged` has them all but `PlantsForeignRecord` and `OpensScopes`. A
control that is missing leaves its cases *not run*, and the verdict *incomplete*. Optional in
either lane is `NamesService`: the property `service`, versions by name. Where
the service itself cannot be had, a harness raises `ServiceMissing`. A live
harness over the network gets a journal, and real outages, from a `Relay`, and one
over standard input and output from a `Pipe`; `Relayed` has what such harnesses share.

`check` and `check_sync` run all cases and return a `Report`; `AdapterFidelity`
makes each case a test of pytest. `mutate` puts deliberate faults around an adapter,
to see whether they are found; `observe_store` infers which manifest is true of
a store. `measure_lag` measures how long a write takes to be found.
"""

from __future__ import annotations

from memory_fidelity.testing.evidence import standing
from memory_fidelity.testing.fidelity import AdapterFidelity
from memory_fidelity.testing.harness import (
    BreaksCalls,
    Call,
    CorruptsResponses,
    DelaysIndex,
    HangsCalls,
    HangsReads,
    HarnessFactory,
    Journal,
    MemoryAdapterHarness,
    NamesService,
    OpensScopes,
    PlantsForeignRecord,
    RejectsWrites,
    ServiceMissing,
    WithholdsIdentity,
)
from memory_fidelity.testing.kills import KillReport
from memory_fidelity.testing.lag import Lag, measure_lag
from memory_fidelity.testing.mutation import mutate
from memory_fidelity.testing.observed import Observed
from memory_fidelity.testing.observing import observe_store
from memory_fidelity.testing.pipe import Pipe
from memory_fidelity.testing.relay import Relay
from memory_fidelity.testing.relayed import Relayed
from memory_fidelity.testing.report import CaseResult, Finding, LaneReport, Report
from memory_fidelity.testing.rigged import Rigged
from memory_fidelity.testing.runner import check, check_sync

__all__ = [
    "AdapterFidelity",
    "BreaksCalls",
    "Call",
    "CaseResult",
    "CorruptsResponses",
    "DelaysIndex",
    "Finding",
    "HangsCalls",
    "HangsReads",
    "HarnessFactory",
    "Journal",
    "KillReport",
    "Lag",
    "LaneReport",
    "MemoryAdapterHarness",
    "NamesService",
    "Observed",
    "OpensScopes",
    "Pipe",
    "PlantsForeignRecord",
    "RejectsWrites",
    "Relay",
    "Relayed",
    "Report",
    "Rigged",
    "ServiceMissing",
    "WithholdsIdentity",
    "check",
    "check_sync",
    "measure_lag",
    "mutate",
    "observe_store",
    "standing",
]
