"""The site as Chromium shows it: every page, wide and narrow, light and dark."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import Any, Final, Literal
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.base import AXE_SCRIPT  # type: ignore[import-untyped]  # has no types
from playwright.sync_api import ConsoleMessage, Page, Request, Response, sync_playwright

_NO_OTHER_MACHINE: Final = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
"""What else a page asks for is not found. To route requests would turn the browser's cache off."""
_WIDTHS: Final = (1280, 390)
_SCHEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")
_SETTLED: Final = """() => new Promise(
  done => requestAnimationFrame(() => requestAnimationFrame(done))
)"""
_OVERFLOW: Final = """() => {
  const root = document.documentElement;
  return root.scrollWidth > root.clientWidth ? `${root.scrollWidth} px wide` : null;
}"""
_UNDRAWN: Final = """() => [
  ...[...document.querySelectorAll('figure.diagram svg')]
    .map(one => one.getBoundingClientRect()).filter(box => box.width < 200 || box.height < 100)
    .map(() => 'a diagram has no size'),
  ...[...document.querySelectorAll('img')]
    .filter(one => !one.naturalWidth).map(one => `${one.src.slice(0, 80)} is not shown`),
  ...[...document.querySelectorAll('article img')]
    .filter(one => !one.alt.trim() || /no description/i.test(one.alt))
    .map(() => 'a picture has no text'),
]"""
# Texts that look alike have the same contrast, and a long page has thousands.
_SAMPLE: Final = """() => {
  const seen = new Set();
  for (const old of document.querySelectorAll('[data-sample]')) delete old.dataset.sample;
  for (const one of document.querySelectorAll('body *')) {
    if (![...one.childNodes].some(part => part.nodeType === 3 && part.data.trim())) continue;
    if (!one.checkVisibility()) continue;
    const looks = [];
    for (let at = one; at; at = at.parentElement) {
      const { backgroundColor, opacity } = getComputedStyle(at);
      looks.push(opacity, backgroundColor);
      if (!/, 0\\)$/.test(backgroundColor)) break;
    }
    const { color, fontSize, fontWeight } = getComputedStyle(one);
    const look = [color, fontSize, fontWeight, one.tagName, ...new Set(looks)].join();
    if (!seen.has(look)) one.dataset.sample = '';
    seen.add(look);
  }
}"""
_AXE: Final = """({ include, ...options }) =>
  axe.run({ include: [[include]] }, { resultTypes: ['violations'], ...options })
    .then(found => found.violations.map(each => ({
      id: each.id, impact: each.impact, count: each.nodes.length,
      targets: each.nodes.slice(0, 3).map(node => node.target.join(' ')),
    })))"""
_SHARES: Final = 4
"""In so many parts, all pages are looked at, for as many processors."""
_BY_WIDTH: Final = [
    "aria-hidden-focus",
    "button-name",
    "link-name",
    "nested-interactive",
    "scrollable-region-focusable",
]
"""The rules whose outcome can change with the width of the window."""
_FOCUS: Final = """() => {
  const at = document.activeElement;
  const style = getComputedStyle(at);
  const box = at.getBoundingClientRect();
  // The pane of the search's results is empty until something was typed.
  const input = at.matches('input, .md-search__scrollwrap');
  return {
    tag: at.tagName,
    text: (at.textContent || at.getAttribute('aria-label') || '').trim().slice(0, 60),
    place: at.closest('[data-md-component], article, nav, footer')?.dataset.mdComponent
      ?? at.closest('footer, article, nav')?.tagName ?? '',
    visible: input || (box.width > 0 && box.height > 0
      && style.outlineStyle !== 'none' && style.opacity !== '0'),
  };
}"""


@dataclass
class Watched:
    """A page of the browser, and everything that it did wrong."""

    page: Page
    faults: list[str] = field(default_factory=list)

    def start(self) -> None:
        """Listen."""
        self.page.on("request", self._request)
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        self.page.on("response", self._response)

    def _request(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.hostname != "127.0.0.1" and parts.scheme not in ("blob", "data"):
            self.faults.append(f"left the machine: {request.url}")

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.faults.append(f"console: {message.text}")

    def _response(self, response: Response) -> None:
        if response.status >= 400:
            self.faults.append(f"{response.status}: {response.url}")


@pytest.fixture(scope="module")
def watched() -> Iterator[Watched]:
    """A page of Debian's Chromium; where there is none, continuous integration fails."""
    program = shutil.which("chromium")
    if program is None:
        say = pytest.fail if os.environ.get("CI") else pytest.skip
        say("install the package chromium")
    with sync_playwright() as playwright:
        options = ["--no-sandbox", "--disable-dev-shm-usage", _NO_OTHER_MACHINE]
        browser = playwright.chromium.launch(executable_path=program, args=options)
        found = Watched(browser.new_page(reduced_motion="reduce"))
        found.start()
        yield found
        browser.close()


@pytest.fixture
def page(watched: Watched) -> Iterator[Page]:
    """The same page, as wide and as light as at first, for a test of its own."""
    watched.page.set_viewport_size({"width": 1280, "height": 900})
    watched.page.emulate_media(color_scheme="light")
    yield watched.page
    assert watched.faults == []


def _seen(watched: Watched, address: str, path: str, part: str) -> Iterator[str]:
    """Everything that is wrong with one page; `part` is what of it axe-core looks at."""
    watched.faults.clear()
    watched.page.goto(address + path)
    watched.page.evaluate(AXE_SCRIPT)
    for width, scheme in product(_WIDTHS, _SCHEMES):
        watched.page.set_viewport_size({"width": width, "height": 900})
        watched.page.emulate_media(color_scheme=scheme)
        watched.page.evaluate(_SETTLED)
        where = f"{path} {width} {scheme}"
        expected = {"light": "default", "dark": "slate"}[scheme]
        if watched.page.get_attribute("body", "data-md-color-scheme") != expected:
            yield f"{where}: not {scheme}"
        if overflow := watched.page.evaluate(_OVERFLOW):
            yield f"{where}: {overflow}"
        yield from (f"{where}: {fault}" for fault in watched.page.evaluate(_UNDRAWN))
        yield from (f"{where}: {fault}" for fault in _barriers(watched.page, (width, scheme), part))
    yield from (f"{path}: {fault}" for fault in watched.faults)
    watched.faults.clear()


def _barriers(page: Page, where: tuple[int, str], part: str) -> Iterator[str]:
    """What axe-core says: of structure once a width, of contrast once a scheme."""
    run = partial(page.evaluate, _AXE)
    found = []
    if where[0] == 1280:
        page.evaluate(_SAMPLE)
        found += run({"include": "[data-sample]", "runOnly": ["color-contrast"]})
    if where == (1280, "light"):
        found += run({"include": part, "rules": {"color-contrast": {"enabled": False}}})
    if where == (390, "light"):
        found += run({"include": part, "runOnly": _BY_WIDTH})
    for each in found:
        if each["impact"] in ("serious", "critical"):
            yield f"{each['id']} ({each['impact']}) x{each['count']}: {each['targets']}"


@pytest.mark.parametrize("share", range(_SHARES))
def test_every_page_is_sound(watched: Watched, address: str, pages: list[str], share: int) -> None:
    """No error, no request off the machine, nothing cut off, undrawn or out of reach."""
    mine = pages[share::_SHARES]

    # What stands around the text, hundreds of links, is the same on every page.
    parts = ["body", *["article"] * (len(mine) - 1)]
    wrong = [
        fault
        for path, part in zip(mine, parts, strict=True)
        for fault in _seen(watched, address, path, part)
    ]

    assert mine
    assert not wrong, "\n".join(wrong)


def test_search_finds_a_clause(page: Page, address: str) -> None:
    """Typing the id of a clause leads to the clause."""
    page.goto(address)
    page.keyboard.press("/")
    page.keyboard.type("C10")
    hit = page.locator(".md-search-result__link[href*='reference/clauses/'][href$='#c10']").first
    hit.wait_for()

    hit.click()

    page.wait_for_url("**/reference/clauses/**#c10")


def _tour(page: Page) -> list[dict[str, Any]]:
    """Press Tab until the focus leaves the page, and tell where it was."""
    stops = []
    for _ in range(400):
        page.keyboard.press("Tab")
        stop: dict[str, Any] = page.evaluate(_FOCUS)
        if stop["tag"] == "BODY":
            break
        stops.append(stop)
    return stops


@pytest.mark.parametrize("path", ["", "notebooks/00-same-methods-different-truths/"])
def test_keyboard_reaches_everything(page: Page, address: str, path: str) -> None:
    """Tab goes to the skip link, the search, the tabs, the text and the footer, seen, untrapped."""
    page.goto(address + path)

    stops = _tour(page)

    assert stops[0]["text"] == "Skip to content"
    assert 10 < len(stops) < 400
    assert [stop for stop in stops if not stop["visible"]] == []
    reached = {stop["place"] for stop in stops}
    assert reached >= {"skip", "logo", "search", "tabs", "ARTICLE", "FOOTER"}


def test_skip_link_skips(page: Page, address: str) -> None:
    """The first Tab and Enter lead into the text."""
    page.goto(address + "how-to/choose/")

    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")

    assert page.evaluate("document.activeElement.closest('article') !== null")


def test_theme_can_be_chosen(page: Page, address: str) -> None:
    """The system's choice can be overruled, and stays overruled on the next page."""
    page.goto(address)
    page.locator("label[for=__palette_1]").click()
    page.locator("label[for=__palette_2]").click()

    page.goto(address + "learn/")

    assert page.get_attribute("body", "data-md-color-scheme") == "slate"
    page.evaluate("localStorage.clear()")
