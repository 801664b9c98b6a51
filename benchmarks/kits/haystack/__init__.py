"""The document store mixins of Haystack, over `InMemoryDocumentStore`."""
