"""Kotlin against Dokka: names and the words of descriptions as Kotlin's own documentation engine shows them.

Here: reading Dokka's HTML for a folder of sources. Not here: the comparison and its normalisation (oracles_java), which
oracle is for which language (oracles).

Dokka comes with its Maven plugin (``org.jetbrains.dokka:dokka-maven-plugin``); without the artifact's dependencies it
cannot resolve foreign types, which changes no name and no word. It reads all source sets as one, so that of ``expect``
and ``actual`` either's words count.
"""

from __future__ import annotations

import html.parser
import re
from pathlib import Path

import oracles_java
from oracles_java import Outcome

_PAGE = re.compile(r'pageIds="[^":]*::([^"]*)"')
_BLOCKS = frozenset(
    ("p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "li", "ul", "ol", "pre", "br", "tr", "td", "th", "hr", "table")
)
_VOID = frozenset(["br", "hr", "img", "wbr", "input", "meta", "link"])
# Dokka's own headings over what tags say.
_TAG_HEADINGS = frozenset(
    (
        "Parameters",
        "Type Parameters",
        "Return",
        "See also",
        "Throws",
        "Receiver",
        "Since Kotlin",
        "Properties",
        "Constructors",
        "Constructor",
        "Author",
        "Since",
        "Samples",
        "Deprecated",
        "Inheritors",
        "Property",
    )
)


def compare(folder: Path, pages: Path) -> Outcome:
    """Sources below ``folder`` as Dokka showed them in ``pages``, and as we read them."""
    rows = {}
    for each in oracles_java.read_folder(folder, (".kt", ".java")):
        rows[each.symbol] = each
    named = dict(rows)
    for each in rows.values():
        for alias in each.aliases:
            named.setdefault(alias, each)
    expected = dokka_texts(pages)
    # A companion that says nothing has no entry: its members stand on the class.
    kept = {
        symbol: texts
        for symbol, texts in expected.items()
        if any(map(oracles_java.words, texts)) or not symbol.endswith(".Companion")
    }
    return oracles_java.compared(kept, named)


def dokka_texts(pages: Path) -> dict[str, list[str]]:
    """Descriptions by symbol, one for each overload and platform."""
    found: dict[str, list[str]] = {}
    for path in sorted(pages.rglob("*.html")):
        text = path.read_text(encoding="utf-8")
        page = _PAGE.search(text)
        start = text.find('id="content"')
        if page is None or start < 0:
            continue
        symbol = _symbol(page[1])
        if symbol:
            reader = _Page()
            reader.feed(text[text.index(">", start) + 1 :])
            found.setdefault(symbol, []).extend(reader.texts or [""])
    return found


def _symbol(identifier: str) -> str:
    """``package/Class.Nested/callable/…`` as callers write it; "" for a package or the module."""
    package, _, rest = identifier.partition("/")
    classes, _, rest = rest.partition("/")
    callable_ = rest.partition("/")[0]
    if not classes and not callable_:
        return ""
    return ".".join(each for each in (package, classes, callable_) if each and each != "[root]")


class _Page(html.parser.HTMLParser):
    """Splits a page at its declarations and keeps each one's description."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.texts: list[str] = []
        self._skipped = 0
        self._is_over = False
        self._is_tag = False
        self._heading: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = (dict(attrs).get("class") or "").split()
        if tag in _VOID:
            if tag != "wbr" and self.texts:
                self.texts[-1] += " "
            return
        if self._skipped:
            self._skipped += 1
            return
        if "tabbedcontent" in names or "footer" in names or "tabs-section" in names:
            self._is_over = True
        if "symbol" in names and "monospace" in names and not self._is_over:
            self.texts.append("")
            self._is_tag = False
            self._skipped = 1
        elif "copy-tooltip" in names or "deprecation-content" in names or tag == "button":
            self._skipped = 1
        elif "kdoc-tag" in names or "table" in names:
            self._is_tag = True
        elif tag in ("h4", "h2", "h3"):
            self._heading = []
        if tag in _BLOCKS and self.texts:
            self.texts[-1] += " "

    def handle_endtag(self, tag: str) -> None:
        if tag in _VOID:
            return
        if self._skipped:
            self._skipped -= 1
            return
        if self._heading is not None and tag in ("h4", "h2", "h3"):
            heading = " ".join("".join(self._heading).split())
            self._heading = None
            if heading in _TAG_HEADINGS:
                self._is_tag = True
            elif self.texts and not self._is_over and not self._is_tag:
                self.texts[-1] += f" {heading} "
        if tag in _BLOCKS and self.texts:
            self.texts[-1] += " "

    def handle_data(self, data: str) -> None:
        if self._skipped or self._is_over or not self.texts:
            return
        if self._heading is not None:
            self._heading.append(data)
        elif not self._is_tag:
            self.texts[-1] += data
