"""Rows of faults in what an item holds: B01 to B37."""

from __future__ import annotations

from typing import Final

from tests.public_faults import identities_and_times, metadata_types, tags_and_texts
from tests.public_faults.fault import faults_of

__all__ = ["VALUES"]

_METADATA: Final = faults_of(
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

_TAGS: Final = faults_of(
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

_TEXTS: Final = faults_of(
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

_IDENTITIES: Final = faults_of(
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

_TIMES: Final = faults_of(
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

VALUES: Final = (*_METADATA, *_TAGS, *_TEXTS, *_IDENTITIES, *_TIMES)
"""In the order of their ids."""
