"""The fake answers as khive does: both are held against one transcript, which is khive's own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest
from tests.fake.khive.script import (
    STEPS,
    TRANSCRIPT,
    Answers,
    answers,
    khive_command,
    khive_environment,
)

from memory_fidelity.fake.khive_service import FakeKhive

SAID: Final[Answers] = json.loads(TRANSCRIPT.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def of_the_fake() -> Answers:
    """What the fake answers to all steps."""
    with FakeKhive() as khive:
        return answers(khive.command, {})


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


@pytest.mark.parametrize("step", STEPS)
def test_khive_answers_as_it_did(step: str, of_khive: Answers) -> None:
    """What is in the transcript is still what khive says."""
    assert of_khive[step] == SAID[step]
