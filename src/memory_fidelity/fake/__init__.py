"""The deterministic fake: a memory service in this process, its adapter and its harness.

It stands in for a service by behaving like one: everything is encoded on the
way in and on the way out, records of several kinds and namespaces live side by
side, and the search index has a queue. Each behaviour can be toggled, so every
honest manifest has a fake that it describes, and every false one a fake that
it does not.
"""

from __future__ import annotations

from memory_fidelity.fake.behaviour import EVENTUAL, FULL, LOSSY, NATIVE_FIELDS, FakeBehaviour
from memory_fidelity.fake.harness import EventualFake, FakeHarness, LossyFake, NativeFieldsFake
from memory_fidelity.fake.service import FakeRejected, FakeService, FakeServiceError
from memory_fidelity.fake.store import FakeMemoryStore
from memory_fidelity.fake.transport import FakeConnectionError, FakeTransport, Fault

__all__ = [
    "EVENTUAL",
    "FULL",
    "LOSSY",
    "NATIVE_FIELDS",
    "EventualFake",
    "FakeBehaviour",
    "FakeConnectionError",
    "FakeHarness",
    "FakeMemoryStore",
    "FakeRejected",
    "FakeService",
    "FakeServiceError",
    "FakeTransport",
    "Fault",
    "LossyFake",
    "NativeFieldsFake",
]
