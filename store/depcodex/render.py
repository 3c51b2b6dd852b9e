"""Answers and states as lines for people: compact, at most as wide as the terminal, coloured only there.

Here: lines, wrapping, and printing them. Not here: the JSON (depcodex.answers), what is in an answer.

Answers read as data: no orders and no advertising. Library-written text is cleaned once more before it meets a
terminal.
"""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from depcodex.abstentions import Abstention
    from depcodex.answers import Answer, Freshness, Hit
    from depcodex.statuses import Status

    # One line: (style, text) pieces.
    Line = Sequence[tuple[str, str]]

DEFAULT_WIDTH, MAX_WIDTH = 80, 110
_INDENT = "    "
_SHOWN_SIGNATURES = 3


def answer_lines(answer: Answer, width: int = DEFAULT_WIDTH) -> list[Line]:
    """An answer as lines; every line but an unbreakable name fits ``width`` columns."""
    lines: list[Line] = []
    if answer.message:
        lines.extend(_wrapped(answer.message, width, "", "dim"))
    if answer.abstention is not None:
        lines.extend(_abstention_lines(answer.abstention, width))
    for hit in answer.results:
        lines.extend(_hit_lines(hit, width))
    if answer.cursor is not None:
        lines.append((("dim", f"next page: --cursor {answer.cursor}"),))
    lines.extend(_wrapped(freshness_line(answer.freshness), width, "", "dim"))
    return lines


def plain_text(lines: Iterable[Line]) -> str:
    """Lines without colour.

    Example:
        >>> plain_text([(("bold", "requests.get"), ("", "  function"))])
        'requests.get  function'
    """
    return "\n".join("".join(text for _, text in line).rstrip() for line in lines)


def freshness_line(freshness: Freshness) -> str:
    """What an answer was made from, in one line."""
    if freshness.recorded_at is None:
        return f"store generation {freshness.generation}"
    counts = ", ".join(f"{count} {state.replace('_', ' ')}" for state, count in freshness.coordinates)
    newest = f", newest {freshness.as_of}" if freshness.as_of else ""
    return f"coordinates in scope {freshness.scope}: {counts or 'none'}{newest}; recorded {freshness.recorded_at}"


def status_lines(status: Status, width: int = DEFAULT_WIDTH) -> list[Line]:
    """The coordinates of a closure by state, and sizes."""
    lines: list[Line] = [(("bold", _clean(status.project)),)]
    if status.abstention is not None:
        lines.extend(_abstention_lines(status.abstention, width))
    lines.extend(_wrapped(freshness_line(status.freshness), width, "", ""))
    if status.coordinates:
        lines.append((("dim", f"{'state':<17}{'entries':>8}{'withheld':>9}  coordinate"),))
    for each in status.coordinates:
        state = each.state if each.is_in_scope else f"({each.state})"
        style = "" if each.state == "indexed" else "yellow"
        numbers = f"{each.entry_count:>8}{each.withheld_count:>9}"
        lines.append(((style, f"{state:<17}"), ("", f"{numbers}  {_clean(each.purl)}")))
        if each.reason:
            lines.extend(_wrapped(each.reason, width, _INDENT, "dim"))
    total, withheld = (
        sum(getattr(each, name) for each in status.coordinates) for name in ("entry_count", "withheld_count")
    )
    sizes = f"{total} entries, {withheld} withheld; public store {_size(status.store_bytes)}"
    lines.append((("", f"{sizes}, snapshots of this closure {_size(status.snapshot_bytes)}"),))
    return lines


def show(lines: Iterable[Line], stream: TextIO | None = None) -> None:
    """Prints lines, with colour where the stream is a terminal that takes it."""
    out = sys.stdout if stream is None else stream
    if not out.isatty():
        print(plain_text(lines), file=out)
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(file=out, highlight=False, soft_wrap=True)
    for line in lines:
        console.print(Text.assemble(*((text, style) for style, text in line)))


def width_of(stream: TextIO | None = None) -> int:
    """Columns to fill: the terminal's, at most ``MAX_WIDTH``; ``DEFAULT_WIDTH`` elsewhere."""
    out = sys.stdout if stream is None else stream
    if not out.isatty():
        return DEFAULT_WIDTH
    return max(40, min(shutil.get_terminal_size((DEFAULT_WIDTH, 24)).columns, MAX_WIDTH))


def _hit_lines(hit: Hit, width: int) -> list[Line]:
    marks = " deprecated" if hit.is_deprecated else ""
    since = f" since {hit.since}" if hit.since else ""
    head: Line = (
        ("dim", f"{hit.rank:>2}  "),
        ("bold", _clean(hit.symbol)),
        ("", f"  {hit.kind}"),
        ("yellow", marks),
        ("dim", since),
    )
    lines: list[Line] = [head]
    for signature in hit.signatures[:_SHOWN_SIGNATURES]:
        lines.extend(_wrapped(signature, width, _INDENT, "cyan"))
    if len(hit.signatures) > _SHOWN_SIGNATURES:
        lines.append((("dim", f"{_INDENT}and {len(hit.signatures) - _SHOWN_SIGNATURES} more signatures"),))
    if hit.is_withheld:
        lines.append((("dim", f"{_INDENT}prose withheld"),))
    elif hit.sentence:
        lines.extend(_wrapped(hit.sentence, width, _INDENT, ""))
    distance = {None: "", 1: ", direct"}.get(hit.distance, f", via {' > '.join(hit.via)}" if hit.via else "")
    place = hit.citation.partition("!")[2].partition("#")[0]
    lines.extend(_wrapped(f"{hit.coordinate}{distance}; {place}; {', '.join(hit.found_by)}", width, _INDENT, "dim"))
    if hit.disagrees_with:
        lines.extend(_wrapped(f"differs from {', '.join(hit.disagrees_with)}", width, _INDENT, "yellow"))
    return lines


def _abstention_lines(abstention: Abstention, width: int) -> list[Line]:
    lines = _wrapped(f"{abstention.type.value}: {abstention.message}", width, "", "yellow")
    # A command is not broken: it is there to be copied.
    return [*lines, (("", f"{_INDENT}{_clean(abstention.resolve)}"),)]


def _wrapped(text: str, width: int, indent: str, style: str) -> list[Line]:
    parts = textwrap.wrap(
        _clean(text),
        width,
        initial_indent=indent,
        subsequent_indent=indent + ("  " if indent else ""),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [((style, part),) for part in parts]


def _clean(text: str) -> str:
    return "".join(char if char.isprintable() else " " for char in text)


def _size(count: int) -> str:
    for unit in ("bytes", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}"
        count = count / 1000  # type: ignore[assignment]
    return f"{count:.1f} GB"
