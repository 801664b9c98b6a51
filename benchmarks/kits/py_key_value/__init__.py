"""The base suite for stores of py-key-value, over `MemoryStore`."""
