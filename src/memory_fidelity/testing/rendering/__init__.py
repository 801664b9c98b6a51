"""Renderings of a report, each a pure function of it: text, HTML, JUnit, badge, frame, table.

Import the module that you need; `memory_fidelity.testing.rendering.frame` alone
needs more than the base install (pandas).
"""
