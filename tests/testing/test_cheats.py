"""No cheat reaches *conformant*, under any test runner and in a running notebook."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import start_new_kernel

from memory_fidelity.testing.cases import CASES

from .cheats import CHEATS, KERNEL_CHEATS, KERNEL_IMPORTS

QUIET = ("-p", "no:cacheprovider", "-p", "no:hypothesispytest", "-p", "no:nbval", "-W", "ignore")
RUNNERS = {
    "plain": ["-p", "no:asyncio", "-p", "no:anyio"],
    "xdist": ["-n", "2"],
    "pytest-asyncio auto": ["-o", "asyncio_mode=auto"],
    "pytest-asyncio strict": ["-o", "asyncio_mode=strict"],
    "anyio": ["-p", "no:asyncio", "-p", "anyio"],
}
VERDICT = re.compile(r"^test_(\w+)\.py::TestAcme fake: ([a-z -]+) \(", re.MULTILINE)


@pytest.fixture(autouse=True)
def the_suite_is_whole_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a cheat takes out of the suite, in this process, is put back after its test."""
    for module in ("calibration", "fidelity"):
        monkeypatch.setattr(f"memory_fidelity.testing.{module}.CASES", CASES)


@pytest.mark.parametrize("arguments", RUNNERS.values(), ids=RUNNERS)
def test_no_cheat_is_conformant(pytester: pytest.Pytester, arguments: list[str]) -> None:
    """Every cheat in one session: each class has a verdict, and none is the best one."""
    pytester.makepyfile(**{f"test_{name}": source for name, source in CHEATS.items()})

    result = pytester.runpytest(*QUIET, *arguments)

    verdicts = dict(VERDICT.findall(result.stdout.str()))
    assert set(verdicts) == set(CHEATS)
    assert "conformant" not in verdicts.values()
    assert result.ret == 1


@pytest.mark.parametrize("name", CHEATS)
def test_cheat_alone_fails_the_session(pytester: pytest.Pytester, name: str) -> None:
    """No other class is needed for a session to fail by its cheat."""
    pytester.makepyfile(**{f"test_{name}": CHEATS[name]})

    result = pytester.runpytest(*QUIET)

    assert dict(VERDICT.findall(result.stdout.str()))[name] != "conformant"
    assert result.ret == 1


@pytest.mark.parametrize(
    "selection",
    [
        pytest.param(["-k", "retrieve"], id="keyword"),
        pytest.param(
            ["--deselect", "test_acme.py::TestAcme::test_case[fake-search.limit]"], id="deselect"
        ),
        pytest.param(["-k", "no_such_case"], id="empty subset"),
    ],
)
def test_selection_is_not_conformant(pytester: pytest.Pytester, selection: list[str]) -> None:
    """What the user leaves out is the user's choice, and no proof."""
    pytester.makepyfile(test_acme=CHEATS["no_fake"].replace("pass", "fake = FakeHarness"))

    result = pytester.runpytest(*QUIET, *selection)

    assert "conformant" not in dict(VERDICT.findall(result.stdout.str())).values()


@pytest.fixture(scope="module")
def kernel() -> Iterator[BlockingKernelClient]:
    """A kernel as a notebook has it, whose loop runs while a cell does."""
    manager, client = start_new_kernel()
    yield client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


@pytest.mark.parametrize("cell", KERNEL_CHEATS.values(), ids=KERNEL_CHEATS)
def test_no_cheat_is_conformant_in_a_notebook(kernel: BlockingKernelClient, cell: str) -> None:
    """The same in the running loop of a notebook's kernel."""
    shown: list[str] = []

    kernel.execute_interactive(
        f"{KERNEL_IMPORTS}{cell}\nprint('verdict:', report.verdict)",
        timeout=60,
        output_hook=lambda message: shown.append(str(message["content"].get("text", message))),
    )

    assert re.search(r"verdict: (incomplete|harness error|non-conformant)", "".join(shown))


def test_honest_adapter_is_conformant_in_a_notebook(kernel: BlockingKernelClient) -> None:
    """The kernel can tell: what follows after the cheats is judged as if they had not been."""
    shown: list[str] = []

    kernel.execute_interactive(
        f"{KERNEL_IMPORTS}from memory_fidelity.fake import FakeHarness\n"
        "print('verdict:', (await check(fake=FakeHarness)).verdict)",
        timeout=60,
        output_hook=lambda message: shown.append(str(message["content"].get("text", message))),
    )

    assert "verdict: conformant" in "".join(shown)
