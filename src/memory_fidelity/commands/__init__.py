"""The commands of `memory-fidelity`; they need the extra `testing`."""
