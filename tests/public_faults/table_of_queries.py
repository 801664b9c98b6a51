"""Rows of faults in what a query asks for: B38 to B63."""

from __future__ import annotations

from typing import Final

from tests.public_faults import filters, limits_and_pages
from tests.public_faults.fault import faults_of

__all__ = ["QUERIES"]

_FILTERS: Final = faults_of(
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

_INJECTIONS: Final = faults_of(
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

_LIMITS: Final = faults_of(
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

_EMPTY: Final = faults_of(
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

QUERIES: Final = (*_FILTERS, *_INJECTIONS, *_LIMITS, *_EMPTY)
"""In the order of their ids."""
