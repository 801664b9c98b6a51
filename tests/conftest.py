"""Plugins that tests use; pytest takes them from here only."""

from __future__ import annotations

pytest_plugins = ["pytester"]
