"""What importing the package does, and what its modules show."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pkgutil import walk_packages
from types import FunctionType

import pytest

import memory_fidelity

from .conftest import Interpreter

MODULES = [
    "memory_fidelity",
    *(
        module.name
        for module in walk_packages(memory_fidelity.__path__, "memory_fidelity.")
        if "._" not in module.name
    ),
]

LOADED = """
import json, sys
import lionagi.protocols.memory
before = set(sys.modules)
import memory_fidelity
print(json.dumps(sorted({name.partition(".")[0] for name in set(sys.modules) - before})))
"""

TIMED = """
import time
import lionagi.protocols.memory
before = time.process_time()
import memory_fidelity
print(time.process_time() - before)
"""

# Everything is imported once, so that only this project's own modules are imported under the hook.
OPENED = """
import json, sys
from importlib import import_module
modules = json.loads(sys.argv[1])
for name in modules:
    import_module(name)
for name in [name for name in sys.modules if name.startswith("memory_fidelity")]:
    del sys.modules[name]
seen = []
recording = True
def hook(event, arguments):
    if not recording:
        return
    if event == "open":
        path, mode, flags = arguments
        if not str(path).endswith((".py", ".pyc")) or (mode or "r") not in ("r", "rb"):
            seen.append([event, str(path)])
    elif event.startswith(("socket.", "sqlite3.", "subprocess.", "tempfile.", "os.mkdir")):
        seen.append([event, repr(arguments)])
sys.addaudithook(hook)
for name in modules:
    import_module(name)
CONTROL
recording = False
print(json.dumps(seen))
"""


def _defined(module: str) -> set[str]:
    """Public classes and functions that the module defines itself."""
    return {
        name
        for name, found in vars(import_module(module)).items()
        if isinstance(found, type | FunctionType)
        and found.__module__ == module
        and not name.startswith("_")
    }


def _exported(module: str) -> list[str]:
    """The names in `__all__`, whose order is checked by the linter; none for a bare package."""
    return list(getattr(import_module(module), "__all__", ()))


def test_loads_no_third_party_module(here: Interpreter) -> None:
    """Beyond lionagi's own import, no package is loaded but this one."""
    loaded = json.loads(here.run("-c", LOADED).output)

    assert set(loaded) - sys.stdlib_module_names == {"memory_fidelity"}


@pytest.mark.parametrize(
    "module", ["asyncio", "email", "html", "logging", "multiprocessing", "sqlite3", "unittest"]
)
def test_loads_no_costly_module(here: Interpreter, module: str) -> None:
    """What only an adapter or a rendering needs is not loaded by the package itself."""
    loaded = json.loads(here.run("-c", LOADED).output)

    assert module not in loaded


def test_loads_fast(here: Interpreter) -> None:
    """Beyond lionagi's own import, it costs at most a quarter of a second of CPU."""
    assert float(here.run("-c", TIMED).output) < 0.25


def test_plugin_loads_nothing_of_the_package(here: Interpreter) -> None:
    """pytest loads the plugin in every run, and coverage has not started by then."""
    run = here.run(
        "-c", "import sys, memory_fidelity_pytest; print('memory_fidelity' in sys.modules)"
    )

    assert run.output.strip() == "False"


def test_opens_nothing(here: Interpreter) -> None:
    """Importing reads source files: no other file, database, socket or process is opened."""
    run = here.run("-B", "-c", OPENED.replace("CONTROL", ""), json.dumps(MODULES))

    assert (run.output.strip(), run.errors) == ("[]", "")


@pytest.mark.parametrize(
    ("control", "event"),
    [
        pytest.param("open('/dev/null')", "open", id="file"),
        pytest.param("import socket; socket.socket().close()", "socket.__new__", id="socket"),
        pytest.param(
            "import sqlite3; sqlite3.connect(':memory:').close()", "sqlite3.connect", id="database"
        ),
    ],
)
def test_opening_would_be_seen(here: Interpreter, control: str, event: str) -> None:
    """The control of the test above: the same hook reports what is opened."""
    run = here.run("-c", OPENED.replace("CONTROL", control), json.dumps(["memory_fidelity"]))

    assert event in {name for name, _ in json.loads(run.output)}


@pytest.mark.parametrize("module", MODULES)
def test_exports_exist(module: str) -> None:
    """Every exported name can be imported."""
    assert [name for name in _exported(module) if not hasattr(import_module(module), name)] == []


@pytest.mark.parametrize("module", MODULES)
def test_exports_are_complete(module: str) -> None:
    """What a module defines without an underscore is exported."""
    assert _defined(module) - set(_exported(module)) == set()
