"""What the tests of several adapters share: the lanes of khive."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.adapters.khive_scene import Lane


@pytest.fixture(params=["fake", "live"])
def lane(request: pytest.FixtureRequest) -> Lane:
    """Each lane of khive; the live one where khive's program is."""
    if request.param == "live":
        request.getfixturevalue("khive_program")
    chosen: Lane = request.param
    return chosen
