"""What MkDocs calls while it builds the site; each hook hands on to one module."""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from bs4 import BeautifulSoup
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import event_priority
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from tools.website.diagrams import drawn_in
from tools.website.generated import generated
from tools.website.lessons import lesson_list, lessons_in, plain_cells
from tools.website.links import faults

from memory_fidelity.testing.targets import TARGETS

_LOG: Final = logging.getLogger("mkdocs.hooks.website")
"""Under `mkdocs`, so that a warning fails a strict build."""


_SEARCH: Final = {
    'data-md-component="search" role="dialog"': (
        'data-md-component="search" role="dialog" aria-label="Search"'
    ),
}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the lessons and the judged adapters into the navigation."""
    docs = Path(config.docs_dir)
    lessons = [{x.title: f"notebooks/{x.name}"} for x in lessons_in(docs / "notebooks")]
    judged = [f"evidence/{name}.md" for name in (*TARGETS, "false-claims", "kills")]
    _section(config.nav, "Learn").extend(lessons)
    _section(config.nav, "Evidence").extend(judged)
    # They need to know where the site will be, which it does not have to.
    config.theme.static_templates -= {"404.html", "sitemap.xml"}
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made out of the package and of the committed evidence."""
    docs = Path(config.docs_dir)
    for path, text in generated(docs, lessons_in(docs / "notebooks")).items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Fill in the list of lessons, and follow links to them as they are on disk."""
    depth = page.file.src_uri.count("/")
    markdown = markdown.replace(
        "<!-- lessons -->", lesson_list(lessons_in(Path(config.docs_dir, "notebooks")))
    )
    # On disk the lessons are beside `docs`, on the site they are in it.
    return markdown.replace(f"]({'../' * (depth + 1)}notebooks/", f"]({'../' * depth}notebooks/")


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Make lessons plain, and draw diagrams in the page."""
    source = page.file.abs_src_path
    if source is not None and source.endswith(".ipynb"):
        html = _linked(plain_cells(html, Path(source)), page, files)
    return drawn_in(html, Path(config.docs_dir, "diagrams"))


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Mend what the theme's search lacks for those who do not see it."""
    for lacking, mended in _SEARCH.items():
        if lacking not in output:
            _LOG.warning("%s: the theme has no longer %s", page.file.src_uri, lacking)
        output = output.replace(lacking, mended)
    return output


@event_priority(-100)
def on_post_build(config: MkDocsConfig) -> None:
    """Follow every link of what was built, after everything else was written."""
    for fault in faults(Path(config.site_dir)):
        _LOG.warning("%s", fault)


def _section(nav: Any, title: str) -> list[Any]:
    found: list[Any] = next(part[title] for part in nav if title in part)
    return found


def _linked(html: str, page: Page, files: Files) -> str:
    """Turn links that are right on disk into those of the site."""
    content = BeautifulSoup(html, "html.parser")
    for link in content.select("a[href]"):
        parts = urlsplit(str(link["href"]))
        if parts.scheme or parts.netloc or not parts.path:
            continue
        on_disk = re.sub(r"^\.\./docs/", "", parts.path)
        target = on_disk if on_disk != parts.path else f"notebooks/{parts.path}"
        found = files.get_file_from_path(target)
        if found is None:
            _LOG.warning("%s: %s leads nowhere", page.file.src_uri, link["href"])
        else:
            fragment = f"#{parts.fragment}" if parts.fragment else ""
            link["href"] = found.url_relative_to(page.file) + fragment
    return str(content)
