"""A server on standard input and output that answers each text, one a line, in capitals.

    python -I -S pipe_server.py

A line `end` ends it; `where` is answered by its directory, and `name` by the
variable NAME of its environment.
"""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Serve standard input to its end."""
    for line in sys.stdin:
        match line.strip().strip('"'):
            case "end":
                return
            case "where":
                answer = os.getcwd()
            case "name":
                answer = os.environ["NAME"]
            case text:
                answer = text.upper()
        sys.stdout.write(f"{answer}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
