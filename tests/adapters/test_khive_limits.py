"""Each limit that the card tells of is shown, on khive and on the fake of it alike."""

from __future__ import annotations

import pytest
from tests.adapters.khive_limits import LIMITS, Limit
from tests.adapters.khive_scene import Lane, played


@pytest.mark.parametrize("limit", LIMITS.values(), ids=LIMITS)
def test_the_limit_is_as_it_is_told(lane: Lane, limit: Limit) -> None:
    """What the scene returns is what the table says, whichever khive it is played on."""
    assert played(lane, limit.scenario) == limit.expected
