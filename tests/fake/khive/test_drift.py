"""The fake answers as khive does: both are held against one transcript, which is khive's own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest
from tests.fake.khive.script import (
    STEPS,
    TRANSCRIPT,
    Answers,
    answers,
    khive_command,
    khive_environment,
    told,
)

from memory_fidelity.fake.khive.requests import Malformed
from memory_fidelity.fake.khive.server import answer
from memory_fidelity.fake.khive_service import FakeKhive

SAID: Final[Answers] = json.loads(TRANSCRIPT.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def of_the_fake() -> Answers:
    """What the fake answers to all steps."""
    with FakeKhive() as khive:
        return answers(khive.command, {})


@pytest.fixture(scope="module")
def of_its_parts(tmp_path_factory: pytest.TempPathFactory) -> Answers:
    """What the fake answers without a process of its own."""
    folder: Path = tmp_path_factory.mktemp("fake")

    def ask(arguments: dict[str, Any]) -> Any:
        try:
            text = json.dumps(answer(folder, **arguments))
        except Malformed as malformed:
            return {"error": {"code": -32602, "data": {"reason": malformed.reason}}}
        return {"result": {"content": [{"text": text}]}}

    return told(ask)


@pytest.fixture(scope="module")
def of_khive(khive_program: str, tmp_path_factory: pytest.TempPathFactory) -> Answers:
    """What khive's own program answers to all steps."""
    folder: Path = tmp_path_factory.mktemp("khive")
    return answers(khive_command(khive_program, folder), khive_environment(folder))


def test_the_transcript_is_whole() -> None:
    """It has every step, and no other."""
    assert list(SAID) == list(STEPS)


@pytest.mark.parametrize("step", STEPS)
def test_the_fake_answers_as_khive_did(step: str, of_the_fake: Answers) -> None:
    """What it says is what the transcript says."""
    assert of_the_fake[step] == SAID[step]


def test_a_process_is_no_more_than_its_parts(of_the_fake: Answers, of_its_parts: Answers) -> None:
    """Over standard input and output it answers what its functions return."""
    assert of_its_parts == of_the_fake


@pytest.mark.parametrize("step", STEPS)
def test_khive_answers_as_it_did(step: str, of_khive: Answers) -> None:
    """What is in the transcript is still what khive says."""
    assert of_khive[step] == SAID[step]
