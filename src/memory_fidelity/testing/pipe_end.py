"""The client's end of a `Pipe`: a program whose standard input and output are a connection's.

    python -I -S pipe_end.py PORT

It ends when the connection does, or its standard input. It is run from its
file, and imports little, so that it is there in hundredths of a second.
"""

from __future__ import annotations

import os
import socket
import sys
from threading import Thread
from typing import Final

__all__ = ["main"]

_CHUNK: Final = 64 * 1024
_INPUT: Final = 0
_OUTPUT: Final = 1


def main(port: int) -> int:
    """Pass bytes both ways until one side ends; return the exit status."""
    try:
        connection = socket.create_connection(("127.0.0.1", port))
    except OSError:
        return 1
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    # A thread that waits for input must not keep the process once the connection is gone.
    Thread(target=_send, args=(connection,), daemon=True).start()
    try:
        while data := connection.recv(_CHUNK):
            _write(data)
    except OSError:
        return 1
    return 0


def _send(connection: socket.socket) -> None:
    try:
        while data := os.read(_INPUT, _CHUNK):
            connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
    except OSError:
        pass  # the connection was lost, which the other thread sees as well


def _write(data: bytes) -> None:
    while data:
        data = data[os.write(_OUTPUT, data) :]


if __name__ == "__main__":
    # Without the interpreter's own end, which would wait for the thread.
    os._exit(main(int(sys.argv[1])))
