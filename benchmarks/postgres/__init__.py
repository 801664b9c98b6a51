"""The PostgreSQL store, measured against its peers: `python -m benchmarks.postgres`."""
