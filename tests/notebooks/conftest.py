"""Notebooks run as `make notebooks` runs them, in the process of the test."""

from __future__ import annotations

import gc
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import matplotlib
import pytest

Run = Callable[[Path], pytest.RunResult]


@pytest.fixture(scope="session", autouse=True)
def _fonts() -> Iterator[None]:
    """The list of fonts is kept, which takes matplotlib seconds to make in a new home."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MPLCONFIGDIR", matplotlib.get_cachedir())
        yield


@pytest.fixture
def run(pytester: pytest.Pytester) -> Run:
    """Run the cells of one notebook, and compare what they show."""

    def notebook(path: Path) -> pytest.RunResult:
        with warnings.catch_warnings():
            # nbval leaves a file open for the kernel's errors; it goes with what the run held.
            warnings.simplefilter("ignore", ResourceWarning)
            done = pytester.runpytest_inprocess(
                *("-p", "no:cacheprovider", "-p", "no:hypothesispytest", "-W", "ignore"),
                *("-p", "tools.exact_lessons", "--nbval", "--nbval-current-env"),
                *("--nbval-cell-timeout=60", path),
            )
            del vars(done)["reprec"]
            gc.collect()
        return done

    return notebook
