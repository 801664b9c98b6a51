"""A process of its own that stores items in khive, and says so line by line.

    python khive_writer.py NAMESPACE COMMAND...

It says `ready` once khive has answered it, and then reads lines of an id and a
text: each becomes an item, and is answered by the id that was acknowledged, or
by the name of the error.
"""

from __future__ import annotations

import asyncio
import sys
from uuid import UUID

from memory_fidelity import MemoryAdapterError, MemoryItem
from memory_fidelity.adapters.khive import KhiveMemoryStore, McpServer


async def main(namespace: str, command: tuple[str, ...]) -> None:
    """Serve standard input to its end."""
    store = KhiveMemoryStore(McpServer(command), namespace=namespace)
    try:
        await store.retrieve(UUID(int=0, version=4))
        _say("ready")
        for line in sys.stdin:
            item_id, text = line.split()
            item = MemoryItem(id=UUID(item_id), content=text, created_at=1.0)
            _say(await _acknowledged(store, item))
    finally:
        await store.close()


async def _acknowledged(store: KhiveMemoryStore, item: MemoryItem) -> str:
    try:
        return str(await store.store(item))
    except MemoryAdapterError as error:
        return type(error).__name__


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], tuple(sys.argv[2:])))
