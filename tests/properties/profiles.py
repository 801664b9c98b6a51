"""How many examples there are: few that are the same in each run, or very many at random."""

from __future__ import annotations

import os
from typing import Final

from hypothesis import HealthCheck, settings

__all__ = ["EXAMPLES", "RUNS"]

# Processors are shared with whatever runs beside the tests.
_PLAIN: Final = settings(database=None, deadline=None, suppress_health_check=[HealthCheck.too_slow])
_DEFAULT: Final = settings(_PLAIN, derandomize=True)
_NIGHTLY: Final = os.environ.get("HYPOTHESIS_PROFILE") == "nightly"

EXAMPLES: Final = settings(
    _PLAIN if _NIGHTLY else _DEFAULT, max_examples=10_000 if _NIGHTLY else 40
)
"""For a property of one item or query, per adapter."""

RUNS: Final = settings(EXAMPLES, max_examples=1_000 if _NIGHTLY else 20, stateful_step_count=30)
"""For sequences of calls, per adapter."""
