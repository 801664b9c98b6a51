"""What a command says when it cannot be carried out as it was given."""

from __future__ import annotations

__all__ = ["Refused"]


class Refused(Exception):
    """The command cannot be carried out; the message is for its user, the exit code 4."""
