"""`choose`: which adapters give what an application needs."""

from __future__ import annotations

import sys

import pytest

from memory_fidelity import Needs
from memory_fidelity.commands.choosing import parse_needs
from memory_fidelity.commands.program import run
from memory_fidelity.testing.targets import TARGETS

from .conftest import MODULE, Run


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        pytest.param(["metadata"], Needs(metadata=True), id="metadata"),
        pytest.param(["tags"], Needs(tags_in_hits=True), id="tags"),
        pytest.param(["immediate"], Needs(immediate=True), id="immediate"),
        pytest.param(
            ["filter:user", "filter:a=b:c"],
            Needs(filters=frozenset({"user", "a=b:c"})),
            id="filters",
        ),
        pytest.param(["field:metadata"], Needs(fields=frozenset({"metadata"})), id="field"),
        pytest.param(
            ["retrieve=full", "search=lossy"], Needs(retrieve="full", search="lossy"), id="fidelity"
        ),
    ],
)
def test_needs_are_parsed(words: list[str], expected: Needs) -> None:
    """Each kind of need has one way to be written."""
    assert parse_needs(words) == expected


@pytest.mark.parametrize(
    "word",
    ["", "metadata:x", "filter", "filter:", "filter=user", "retrieve=best", "field:price", "x"],
)
def test_other_words_are_refused(run: Run, word: str) -> None:
    """What is no need is refused with the list of what is."""
    ended = run("choose", "--need", word, "fake")

    assert ended.code == 4
    assert "expected one of: metadata, tags, immediate, filter:KEY" in ended.errors


def test_unmet_needs_are_listed(run: Run) -> None:
    """One adapter fits; of the other, every need that is unmet is shown."""
    ended = run("choose", "--need", "metadata", "--need", "tags", "fake", "fake-native-fields")

    assert ended.code == 0
    assert ended.output.splitlines()[:4] == [
        "fake: fits",
        "fake-native-fields: does not fit",
        "  metadata: preserves_metadata: expected True, got False",
        "  tags: search_returns_tags: expected True, got False",
    ]


def test_nothing_fits(run: Run) -> None:
    """If no adapter meets the needs, the exit code says so."""
    assert run("choose", "--need", "filter:price", "fake").code == 1


def test_all_targets_are_asked(run: Run) -> None:
    """Without a target, every built-in one is asked."""
    output = run("choose", "--need", "field:content").output

    assert [name for name in TARGETS if f"{name}: fits\n" not in output] == []


def test_store_without_manifest(run: Run) -> None:
    """A store that declares nothing cannot be chosen, and is not crashed on."""
    ended = run("choose", "--need", "metadata", f"{MODULE}:Undeclared")

    assert ended.code == 4
    assert "expected a store with a manifest, got one without" in ended.errors


@pytest.mark.parametrize(
    ("harness", "message"),
    [
        pytest.param("Faulty", "the harness raised LookupError: no service", id="faulty"),
        pytest.param("Rock", "expected the five methods of a harness", id="no harness"),
    ],
)
def test_faulty_harness(run: Run, harness: str, message: str) -> None:
    """A harness that makes no store is told in one line, and is no verdict."""
    ended = run("choose", "--need", "metadata", f"{MODULE}:{harness}")

    assert ended.code == 3
    assert ended.errors.startswith(f"memory-fidelity: {MODULE}:{harness}: {message}")


def test_no_need(run: Run) -> None:
    """Without a need there is nothing to choose by."""
    assert run("choose", "fake").code == 4


def test_a_target_without_its_driver_is_left_out(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All built-in targets are those that can be judged here; the others are named."""
    monkeypatch.setitem(sys.modules, "psycopg", None)

    code = run(["choose", "--need", "metadata"])

    said = capsys.readouterr()
    assert code == 0
    assert "postgres" not in said.out
    assert "postgres-replica is left out: psycopg is not installed" in said.err
