"""The floor: what one writes by hand with `sqlite3` and FTS5, for the same duties.

The same durability, and the same kinds of index. It trusts its input, answers
in plain dicts, and serves one thread of one process.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from memory_fidelity import MemoryItem

__all__ = ["Document", "RawSqlite"]

Document = dict[str, Any]
"""An item as JSON says it."""

_GRAM: Final = 3

# `detail=none` makes the index smaller, and loading and searching faster, than FTS5's default.
_TABLES: Final = """
CREATE TABLE IF NOT EXISTS item (
    seq INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, body TEXT NOT NULL, folded TEXT NOT NULL
);
CREATE VIRTUAL TABLE IF NOT EXISTS text_index USING fts5 (
    folded, content='item', content_rowid='seq',
    tokenize='trigram case_sensitive 1', detail=none, columnsize=0
);
CREATE TABLE IF NOT EXISTS tag (
    tag TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (tag, seq)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS filter (
    key TEXT NOT NULL, value TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (key, value, seq)
) WITHOUT ROWID;
"""


class RawSqlite:
    """Hand-written SQL over one connection."""

    def __init__(self, path: Path, filters: Sequence[str]) -> None:
        self._filters = tuple(filters)
        self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.executescript(_TABLES)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def store(self, item: MemoryItem) -> None:
        """Write one item, replacing the older version of it."""
        folded = item.content.casefold()
        with self._transaction():
            self._forget(item.id)
            seq = self._connection.execute(
                "INSERT INTO item (id, body, folded) VALUES (?, ?, ?)",
                (item.id.bytes, _body(item), folded),
            ).lastrowid
            self._connection.execute(
                "INSERT INTO text_index (rowid, folded) VALUES (?, ?)", (seq, folded)
            )
            self._connection.executemany(
                "INSERT INTO tag VALUES (?, ?)", [(tag, seq) for tag in set(item.tags)]
            )
            self._connection.executemany(
                "INSERT INTO filter VALUES (?, ?, ?)",
                [(key, value, seq) for key, value in self._terms(item.metadata)],
            )

    def store_many(self, items: Sequence[MemoryItem]) -> None:
        """Write all items in one transaction; the last of several with one id stays."""
        unique = list({item.id: item for item in items}.values())
        with self._transaction():
            for item in unique:
                self._forget(item.id)
            (last,) = self._connection.execute("SELECT coalesce(max(seq), 0) FROM item").fetchone()
            numbered = list(enumerate(unique, last + 1))
            self._connection.executemany(
                "INSERT INTO item VALUES (?, ?, ?, ?)",
                [(seq, i.id.bytes, _body(i), i.content.casefold()) for seq, i in numbered],
            )
            self._connection.execute(
                "INSERT INTO text_index (rowid, folded) SELECT seq, folded FROM item WHERE seq > ?",
                (last,),
            )
            self._connection.executemany(
                "INSERT INTO tag VALUES (?, ?)",
                [(tag, seq) for seq, item in numbered for tag in set(item.tags)],
            )
            self._connection.executemany(
                "INSERT INTO filter VALUES (?, ?, ?)",
                [(*term, seq) for seq, item in numbered for term in self._terms(item.metadata)],
            )

    def retrieve(self, item_id: UUID) -> Document | None:
        """Read one item by its id."""
        found = self._connection.execute(
            "SELECT body FROM item WHERE id = ?", (item_id.bytes,)
        ).fetchone()
        return None if found is None else _document(*found)

    def page(self, limit: int) -> list[Document]:
        """Read the newest items."""
        return self._documents("SELECT body FROM item ORDER BY seq DESC LIMIT ?", (limit,))

    def text(self, needle: str, limit: int) -> list[Document]:
        """Read the newest items whose content holds the text, whatever its case."""
        folded = needle.casefold()
        if len(folded) < _GRAM:
            return self._documents(
                "SELECT body FROM item WHERE instr(folded, ?) ORDER BY seq DESC LIMIT ?",
                (folded, limit),
            )
        return self._documents(
            "SELECT item.body FROM text_index CROSS JOIN item ON item.seq = text_index.rowid "
            "WHERE text_index MATCH ? AND instr(item.folded, ?) "
            "ORDER BY text_index.rowid DESC LIMIT ?",
            (_index_query(folded), folded, limit),
        )

    def tags(self, tag: str, limit: int) -> list[Document]:
        """Read the newest items with a tag."""
        return self._documents(
            "SELECT body FROM tag CROSS JOIN item USING (seq) WHERE tag = ? "
            "ORDER BY tag.seq DESC LIMIT ?",
            (tag, limit),
        )

    def filter(self, key: str, value: object, limit: int) -> list[Document]:
        """Read the newest items with a value in their metadata."""
        return self._documents(
            "SELECT body FROM filter CROSS JOIN item USING (seq) WHERE key = ? AND value = ? "
            "ORDER BY filter.seq DESC LIMIT ?",
            (key, _term(value), limit),
        )

    def _documents(self, sql: str, values: tuple[object, ...]) -> list[Document]:
        return [_document(body) for (body,) in self._connection.execute(sql, values).fetchall()]

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    def _forget(self, item_id: UUID) -> None:
        """Remove the older version of an item, and its entries in every index."""
        old = self._connection.execute(
            "SELECT seq, body, folded FROM item WHERE id = ?", (item_id.bytes,)
        ).fetchone()
        if old is None:
            return
        seq, body, folded = old
        document = _document(body)
        self._connection.execute(
            "INSERT INTO text_index (text_index, rowid, folded) VALUES ('delete', ?, ?)",
            (seq, folded),
        )
        self._connection.executemany(
            "DELETE FROM tag WHERE tag = ? AND seq = ?", [(tag, seq) for tag in document["tags"]]
        )
        self._connection.executemany(
            "DELETE FROM filter WHERE key = ? AND value = ? AND seq = ?",
            [(*term, seq) for term in self._terms(document["metadata"])],
        )
        self._connection.execute("DELETE FROM item WHERE seq = ?", (seq,))

    def _terms(self, metadata: dict[str, Any]) -> list[tuple[str, str]]:
        return [(key, _term(metadata[key])) for key in self._filters if key in metadata]


def _index_query(folded: str) -> str:
    """Every third gram and the last one: the hits are verified, so the others add only work."""
    starts = {*range(0, len(folded) - _GRAM, _GRAM), len(folded) - _GRAM}
    grams = (folded[start : start + _GRAM].replace('"', '""') for start in sorted(starts))
    return " AND ".join(f'"{gram}"' for gram in grams)


def _term(value: object) -> str:
    return json.dumps(value, sort_keys=True)


def _body(item: MemoryItem) -> str:
    return json.dumps(
        {
            "id": item.id.hex,
            "content": item.content,
            "tags": item.tags,
            "created_at": item.created_at,
            "metadata": item.metadata,
        },
        ensure_ascii=False,
        separators=(",", ":"),
    )


def _document(body: str) -> Document:
    document: Document = json.loads(body)
    return document
