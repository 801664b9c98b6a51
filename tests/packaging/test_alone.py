"""The wheel in an environment that has lionagi and nothing else."""

from __future__ import annotations

import pytest

from .conftest import Interpreter


@pytest.mark.parametrize(
    "module",
    [
        "memory_fidelity",
        "memory_fidelity.adapters.sqlite",
        "memory_fidelity.choose",
        "memory_fidelity.fake",
        "memory_fidelity.testing.runner",
    ],
)
def test_imports(alone: Interpreter, module: str) -> None:
    """What needs no extra imports without any."""
    run = alone.run("-W", "error", "-c", f"import {module}")

    assert (run.status, run.errors) == (0, "")


@pytest.mark.parametrize("module", ["hypothesis", "pandas", "pytest", "rich", "typer"])
def test_environment_lacks_the_extras(alone: Interpreter, module: str) -> None:
    """The control of this module's other tests: the extras really are absent."""
    run = alone.run("-c", f"import {module}")

    assert f"No module named '{module}'" in run.errors


def test_suite_runs(alone: Interpreter) -> None:
    """The suite itself needs no extra: an adapter is judged with lionagi alone."""
    run = alone.run(
        "-c",
        "from memory_fidelity.fake.harness import FakeHarness\n"
        "from memory_fidelity.testing.runner import check_sync\n"
        "print(check_sync(fake=FakeHarness).verdict)",
    )

    assert (run.output.strip(), run.errors) == ("conformant", "")


def test_command_line_names_its_extra(alone: Interpreter) -> None:
    """Without typer the command says what to install, as a usage error."""
    run = alone.run("-m", "memory_fidelity", "check", "fake")

    assert run.status == 4
    assert "memory-fidelity[testing]" in run.errors


def test_frame_names_its_extra(alone: Interpreter) -> None:
    """Without pandas `to_frame` says what to install."""
    run = alone.run(
        "-c",
        "from memory_fidelity.fake.harness import FakeHarness\n"
        "from memory_fidelity.testing.runner import check_sync\n"
        "check_sync(fake=FakeHarness).to_frame()",
    )

    assert "ImportError" in run.errors
    assert "memory-fidelity[workbook]" in run.errors


def test_postgres_names_its_extra(alone: Interpreter) -> None:
    """Without psycopg its store says what to install."""
    run = alone.run("-c", "import memory_fidelity.adapters.postgres")

    assert "ImportError" in run.errors
    assert "memory-fidelity[postgres]" in run.errors


def test_strategies_name_their_extra(alone: Interpreter) -> None:
    """Without Hypothesis the strategies say what to install."""
    run = alone.run("-c", "import memory_fidelity.testing.strategies")

    assert "ImportError" in run.errors
    assert "memory-fidelity[testing]" in run.errors
