"""The SQLite store, measured against its peers: `python -m benchmarks`."""
