"""Java against the JDK: names and the words of comments as javac's own parser reads them.

Here: running the JDK's parser (DocOracle.java) and ``javap`` over sources and classes, telling what differs by cause.
Not here: which oracle is for which language (oracles).

One normalisation: a text is the row of its words, a word a run of letters and digits in lower case; entities and
references are read first (``&lt;``, ``java.util.List#of(Object)`` → the words of ``List.of(Object)``), the numbers of a
numbered list are markup. Of overloads any documented one's words count, as one symbol has one text.
"""

from __future__ import annotations

import collections
import html
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from depcodex.coordinates import Coordinate
from depcodex_assets.ecosystems.file_kinds import kind_of
from depcodex_assets.languages import jvm
from depcodex_assets.languages.declarations import Declaration, SourceFile

_WORDS = re.compile(r"[^\W_]+")
_NUMBERING = re.compile(r"^\s*\d{1,3}[.)]\s", re.MULTILINE)
_PACKAGES = re.compile(r"\b(?:[a-z_]\w*\.)+(?=[A-Z])")
_BLOCK_TAG = re.compile(
    r"^@(?:param|property|returns?|receiver|constructor|note|throws|exception|see|since|deprecated|author|version|serial\w*"
    r"|api\w*|impl\w*|jls|revised|spec|uses|provides|\w+[.:]\w+)\b",
    re.MULTILINE,
)
_JAVAP_MEMBER = re.compile(r"^  (?:[\w.<>,?&\[\] $@-]+ )?([\w$.]+)(?:\(|;| =)")
_JAVAP_TYPE = re.compile(
    r"^(?:public |protected |static |final |abstract |sealed )*(?:class|interface|enum|@interface) ([\w.$]+)"
)


@dataclass
class Outcome:
    """What became of the oracle's declarations.

    Attributes:
        symbols: how many it has.
        found: how many of them are there.
        documented: how many it has documentation for.
        same: how many of those have the same words here.
        misses: symbols by cause.
    """

    symbols: int = 0
    found: int = 0
    documented: int = 0
    same: int = 0
    misses: dict[str, list[str]] = field(default_factory=lambda: collections.defaultdict(list))

    def shares(self) -> dict[str, float]:
        """The counts, and the shares found and worded alike."""
        return {
            "symbols": self.symbols,
            "found": round(self.found / self.symbols, 4) if self.symbols else 1.0,
            "documented": self.documented,
            "same_doc": round(self.same / self.documented, 4) if self.documented else 1.0,
        }


def words(text: str) -> list[str]:
    """The one normalisation."""
    return [each.lower() for each in _WORDS.findall(_PACKAGES.sub("", _NUMBERING.sub("", text)))]


def description(doc: str) -> str:
    """A text without its block tags."""
    found = _BLOCK_TAG.search(doc)
    return doc[: found.start()] if found else doc


def read_folder(folder: Path, suffixes: Sequence[str]) -> list[Declaration]:
    """Our reading of an unpacked sources jar (or of class files)."""
    files = []
    for path in sorted(folder.rglob("*")):
        if path.suffix in suffixes:
            relative = path.relative_to(folder).as_posix()
            files.append(SourceFile(relative, path.read_bytes(), "", *kind_of(relative)))
    return list(jvm.declarations(Coordinate.of("maven", "oracle", "0", namespace="bench"), files))


def jdk_comments(folder: Path) -> dict[str, list[str]]:
    """Descriptions by symbol; an empty one for what has no comment."""
    program = Path(__file__).with_name("DocOracle.java")
    done = subprocess.run(
        ["java", str(program), str(folder)], capture_output=True, text=True, timeout=900, check=True, encoding="utf-8"
    )
    found: dict[str, list[str]] = {}
    for line in done.stdout.splitlines():
        symbol, _, text = line.split("\t", 2)
        found.setdefault(symbol, []).append(html.unescape(text))
    return found


def compare(folder: Path) -> Outcome:
    """Sources below ``folder``, read by the JDK and by us."""
    rows = {each.symbol: each for each in read_folder(folder, (".java",))}
    return compared(jdk_comments(folder), rows)


def compared(expected: Mapping[str, Sequence[str]], rows: Mapping[str, Declaration]) -> Outcome:
    """Symbols and words of an oracle against declarations; a symbol without documentation needs its name only."""
    outcome = Outcome()
    for symbol, texts in expected.items():
        documented = [each for each in texts if words(each)]
        owner, _, name = symbol.rpartition(".")
        is_constructor = owner.rpartition(".")[2] == name
        outcome.symbols += 1
        row = rows.get(symbol)
        if row is None and is_constructor and not documented:
            # Constructors without documentation are signatures of their class.
            row = rows.get(owner)
        if row is None:
            is_made = name in ("values", "valueOf", "entries") and f"{owner}" in rows
            outcome.misses["made by the compiler" if is_made else "no such symbol"].append(symbol)
            continue
        outcome.found += 1
        if not documented:
            continue
        outcome.documented += 1
        if row.doc is None:
            outcome.misses["no documentation"].append(symbol)
            continue
        ours = words(description(row.doc))
        if any(ours == words(each) for each in documented):
            outcome.same += 1
        elif any("inheritDoc" in each for each in documented):
            outcome.misses["inherited words"].append(symbol)
        else:
            outcome.misses["other words"].append(symbol)
    return outcome


def javap_symbols(jar: Path) -> set[str]:
    """What ``javap -public`` lists of a jar's classes, as callers write it."""
    listed = subprocess.run(["jar", "tf", str(jar)], capture_output=True, text=True, timeout=120, check=True).stdout
    names = [
        each.removesuffix(".class").replace("/", ".")
        for each in listed.splitlines()
        if each.endswith(".class") and not each.startswith("META-INF/") and not each.endswith("-info.class")
    ]
    found: set[str] = set()
    for start in range(0, len(names), 400):
        command = ["javap", "-public", "-cp", str(jar), *names[start : start + 400]]
        text = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False).stdout
        found |= _javap_lines(text)
    return found


def _javap_lines(text: str) -> set[str]:
    found: set[str] = set()
    owner = ""
    hidden: set[str] = set()
    for line in text.splitlines():
        opened = _JAVAP_TYPE.match(line)
        if opened:
            owner = opened[1].replace("$", ".")
            if not line.startswith("public "):
                hidden.add(owner)
            found.add(owner)
        elif line.startswith("  ") and owner:
            member = _JAVAP_MEMBER.match(line)
            if member and member[1].replace("$", ".") != owner:
                found.add(f"{owner}.{member[1]}")
    return {each for each in found if not any(each == outer or each.startswith(f"{outer}.") for outer in hidden)}
