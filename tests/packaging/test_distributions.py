"""What is in the wheel and in the sdist."""

from __future__ import annotations

import tarfile
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from zipfile import ZipFile

import pytest

from memory_fidelity import __version__

from .conftest import Distributions


def _wheel_names(wheel: Path) -> set[str]:
    with ZipFile(wheel) as archive:
        return set(archive.namelist())


def _sdist_names(sdist: Path) -> set[str]:
    with tarfile.open(sdist) as archive:
        return {name.partition("/")[2] for name in archive.getnames()}


@pytest.fixture(scope="module")
def metadata(distributions: Distributions) -> Message:
    """The wheel's core metadata."""
    with ZipFile(distributions.wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith("/METADATA"))
        return message_from_bytes(archive.read(name))


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("memory_fidelity/__init__.py", id="package"),
        pytest.param("memory_fidelity/py.typed", id="typed"),
        pytest.param("memory_fidelity/testing/report-1.schema.json", id="schema"),
        pytest.param("memory_fidelity_pytest.py", id="plugin"),
        pytest.param(f"memory_fidelity-{__version__}.dist-info/licenses/LICENSE", id="licence"),
    ],
)
def test_wheel_holds(distributions: Distributions, name: str) -> None:
    """Whatever the package needs at run time is in its wheel."""
    assert name in _wheel_names(distributions.wheel)


def test_wheel_holds_nothing_else(distributions: Distributions) -> None:
    """Neither tests nor tools nor documents reach an installation."""
    tops = {name.partition("/")[0] for name in _wheel_names(distributions.wheel)}

    assert tops == {
        "memory_fidelity",
        "memory_fidelity_pytest.py",
        f"memory_fidelity-{__version__}.dist-info",
    }


@pytest.mark.parametrize(
    "name",
    [
        "CHANGELOG.md",
        "LICENSE",
        "README.md",
        "pyproject.toml",
        "src/memory_fidelity/__init__.py",
        "src/memory_fidelity/py.typed",
        "src/memory_fidelity/testing/report-1.schema.json",
        "src/memory_fidelity_pytest.py",
    ],
)
def test_sdist_holds(distributions: Distributions, name: str) -> None:
    """The source distribution is enough to build the wheel and to read what it is."""
    assert name in _sdist_names(distributions.sdist)


def test_wheel_has_every_file_of_the_source(distributions: Distributions) -> None:
    """No module, style sheet or schema is left out by a build rule."""
    root = Path(__file__).parents[2] / "src"
    files = {
        str(path.relative_to(root))
        for path in root.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }

    assert files <= _wheel_names(distributions.wheel)


def test_base_install_requires_lionagi_alone(metadata: Message) -> None:
    """Everything but lionagi is an extra."""
    required = metadata.get_all("Requires-Dist", [])

    assert [name for name in required if "extra ==" not in name] == ["lionagi<1,>=0.28"]


def test_metadata_is_complete(metadata: Message) -> None:
    """An index and an installer can show what this is and under which licence."""
    assert {
        name: metadata[name]
        for name in ("Name", "Version", "License-Expression", "Requires-Python")
    } == {
        "Name": "memory-fidelity",
        "Version": __version__,
        "License-Expression": "Apache-2.0",
        "Requires-Python": ">=3.11",
    }


@pytest.mark.parametrize(
    "name", ["Summary", "Author", "Keywords", "Classifier", "Description-Content-Type"]
)
def test_metadata_has(metadata: Message, name: str) -> None:
    """Every descriptive field is filled in."""
    assert metadata[name]
