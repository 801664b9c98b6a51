"""The suite of langgraph-checkpoint-conformance, over `InMemorySaver`."""
