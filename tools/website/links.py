"""Checks the built site as a browser would follow it: every link, anchor and asset."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

__all__ = ["faults"]

_ASSETS: Final = {
    ("audio", "src"),
    ("embed", "src"),
    ("iframe", "src"),
    ("image", "href"),
    ("img", "src"),
    ("img", "srcset"),
    ("link", "href"),
    ("object", "data"),
    ("script", "src"),
    ("source", "src"),
    ("source", "srcset"),
    ("use", "href"),
    ("video", "src"),
}
_LINKS: Final = {("a", "href"), ("area", "href"), ("form", "action")}
_UNREAD: Final = {"canonical", "next", "prev"}


@dataclass(slots=True)
class _Page(HTMLParser):
    """What one page links to, and what can be linked to in it."""

    links: list[str] = field(default_factory=list)
    assets: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        HTMLParser.__init__(self)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take note of the attributes that name a place."""
        given = dict(attrs)
        self.anchors.update(value for name in ("id", "name") if (value := given.get(name)))
        for name, value in attrs:
            if value is None:
                continue
            if (tag, name) in _LINKS:
                self.links.append(value)
            elif (tag, name) in _ASSETS and given.get("rel") not in _UNREAD:
                self.assets.append(value)


def faults(root: Path) -> list[str]:
    """Return every link that leads nowhere and every asset of another machine, page by page."""
    pages = {path.resolve(): _read(path) for path in sorted(root.rglob("*.html"))}
    return [
        f"{path.relative_to(root.resolve())}: {fault}"
        for path, page in pages.items()
        for fault in dict.fromkeys(_page_faults(root.resolve(), path, page, pages))
    ]


def _read(path: Path) -> _Page:
    page = _Page()
    page.feed(path.read_text(encoding="utf-8"))
    page.close()
    return page


def _page_faults(root: Path, path: Path, page: _Page, pages: dict[Path, _Page]) -> Iterable[str]:
    for asset in page.assets:
        parts = urlsplit(asset)
        if parts.scheme == "data":
            continue
        if parts.scheme or parts.netloc:
            yield f"{asset} is on another machine"
        else:
            yield from _local_faults(root, path, asset, pages)
    for link in page.links:
        parts = urlsplit(link)
        if not parts.scheme and not parts.netloc:
            yield from _local_faults(root, path, link, pages)


def _local_faults(root: Path, path: Path, link: str, pages: dict[Path, _Page]) -> Iterator[str]:
    parts = urlsplit(link)
    if parts.path.startswith("/"):
        yield f"{link} is not relative"
        return
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if target.is_dir():
        target = target / "index.html"
    if not target.is_relative_to(root) or not target.exists():
        yield f"{link} leads nowhere"
    elif (
        parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors
    ):
        yield f"{link} leads to a page without this anchor"
