"""Markup: everything is escaped, and only what stands in backticks is code."""

from __future__ import annotations

import pytest

from memory_fidelity.testing.rendering.markup import prose


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        pytest.param("plain", "plain", id="plain"),
        pytest.param("`a` and `b`", "<code>a</code> and <code>b</code>", id="code"),
        pytest.param("`<b>`", "<code>&lt;b&gt;</code>", id="escaped code"),
        pytest.param("5 o`clock", "5 o`clock", id="one backtick alone"),
        pytest.param("`a` o`clock", "<code>a</code> o`clock", id="one backtick left over"),
    ],
)
def test_prose(told: str, shown: str) -> None:
    """A pair of backticks makes code; one without a partner stays what it is."""
    assert prose(told) == shown
