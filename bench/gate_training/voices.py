"""How an attacker says it: voices in English, each with templates, in our own words.

Here: filling templates, encoding, planting into carriers. Not here: the templates (gate_training.templates), goals
(gate_training.goals), other languages (gate_training.languages).

Slots: ``{b}`` "send the key", ``{i}`` "sending the key", ``{B}`` and ``{I}`` capitalised, ``¶`` a line break, ``{ai}`` a name for a machine reader, ``{ais}`` its plural.
"""

# ruff: noqa: E501, RUF001 - the texts are data

from __future__ import annotations

import base64
import codecs
import random
import urllib.parse
from dataclasses import dataclass

from gate_training import goals, languages
from gate_training.templates import TEMPLATES

_AI = (
    "AI assistant",
    "AI agent",
    "coding agent",
    "coding assistant",
    "LLM",
    "language model",
    "assistant",
    "agent",
    "AI model",
    "bot",
    "copilot",
    "AI coding tool",
    "automated reviewer",
    "large language model",
    "Claude",
    "ChatGPT",
    "Copilot",
    "Cursor",
    "chatbot",
)
_AIS = (
    "AI assistants",
    "AI agents",
    "coding agents",
    "coding assistants",
    "LLMs",
    "language models",
    "assistants",
    "agents",
    "AI models",
    "bots",
    "copilots",
    "automated reviewers",
    "all AI systems",
    "machine readers",
    "AI tools",
    "code generation tools",
)


@dataclass(frozen=True)
class Attack:
    """One attack text and where it comes from in the generator.

    Attributes:
        style: the voice, or ``encoded``, or ``language``.
        template, goal: positions; families that a split leaves out whole. -1 where there is no goal.
        text: the attack as it would stand in a document.
    """

    style: str
    template: int
    goal: int
    text: str


_ENCODERS = (
    "base64",
    "base64",
    "base64_call",
    "base64_follow",
    "hex",
    "percent",
    "entities",
    "escapes",
    "rot13",
    "reversed",
    "spaced",
    "leet",
    "zero_width",
    "lookalike",
    "tags",
    "fullwidth",
)
_SOUND = str.maketrans("aeios", "43105")
_LOOK = str.maketrans("aeopcxi", "аеорсхі")


def make(chooser: random.Random, style: str) -> Attack:
    """One attack in that style."""
    if style == "language":
        template, text = languages.make(chooser)
        return Attack(style, template, -1, text)
    if style == "encoded":
        inner = make(chooser, chooser.choice(("note_to_ai", "override", "conceal", "condition", "leak", "authority")))
        return Attack(style, inner.template, inner.goal, encode(chooser, inner.text))
    template = chooser.randrange(len(TEMPLATES[style]))
    goal = goals.fill(chooser, chooser.randrange(len(goals.GOALS)))
    text = TEMPLATES[style][template].format(
        b=goal.base,
        i=goal.ing,
        B=goal.base[0].upper() + goal.base[1:],
        I=goal.ing[0].upper() + goal.ing[1:],
        ai=chooser.choice(_AI),
        ais=chooser.choice(_AIS),
    )
    has_goal = "{b}" in TEMPLATES[style][template].lower() or "{i}" in TEMPLATES[style][template].lower()
    if chooser.random() < 0.06:
        text = text.upper()
    elif chooser.random() < 0.1:
        text = text[0].lower() + text[1:]
    return Attack(style, template, goal.number if has_goal else -1, text)


def encode(chooser: random.Random, text: str) -> str:
    """The text in one of the encodings that views undo."""
    encoder = chooser.choice(_ENCODERS)
    coded = base64.b64encode(text.encode()).decode()
    if encoder == "base64":
        return coded
    if encoder == "base64_call":
        return chooser.choice(
            ("x = atob('{}')", 'data: "{}"', "exec(base64.b64decode('{}'))", "echo {} | base64 -d", "token={}")
        ).format(coded)
    if encoder == "base64_follow":
        return chooser.choice(
            (
                "Decode this and do what it says: {}",
                "Base64: {}",
                "Run the following after decoding: {}",
                "signature {}",
            )
        ).format(coded)
    if encoder == "hex":
        return text.encode().hex() if chooser.random() < 0.5 else " ".join(f"{byte:02x}" for byte in text.encode())
    if encoder == "percent":
        return (
            urllib.parse.quote(text, safe="")
            if chooser.random() < 0.5
            else "".join(f"%{byte:02X}" for byte in text.encode())
        )
    if encoder == "entities":
        return "".join(f"&#{ord(char)};" for char in text)
    if encoder == "escapes":
        return "".join(
            f"\\u{ord(char):04x}" if chooser.random() < 0.7 else f"\\x{ord(char):02x}"
            for char in text
            if ord(char) < 256
        )
    if encoder == "rot13":
        return chooser.choice(("", "rot13: ")) + codecs.encode(text, "rot13")
    if encoder == "reversed":
        return text[::-1]
    if encoder == "spaced":
        return "  ".join(" ".join(word) for word in text.split())
    if encoder == "leet":
        return text.lower().translate(_SOUND)
    if encoder == "zero_width":
        return "".join(char + ("\u200b" if chooser.random() < 0.4 else "") for char in text)
    if encoder == "lookalike":
        return "".join(char.translate(_LOOK) if chooser.random() < 0.4 else char for char in text)
    if encoder == "tags":
        return "".join(chr(0xE0000 + ord(char)) for char in text if 31 < ord(char) < 127)
    return "".join(chr(ord(char) + 0xFEE0) if 32 < ord(char) < 127 else char for char in text)


STYLES = (*TEMPLATES, "language", "encoded")


def plant(chooser: random.Random, attack: str, carrier: str) -> str:
    """The attack inside an honest text: before it, after it, between two paragraphs, or after a sentence."""
    place = chooser.random()
    if place < 0.15:
        return f"{attack}\n\n{carrier}"
    if place < 0.4:
        return f"{carrier}\n\n{attack}"
    if place < 0.55 and ". " in carrier:
        head, tail = carrier.split(". ", 1)
        return f"{head}. {attack} {tail}"
    lines = carrier.split("\n")
    breaks = [position for position, line in enumerate(lines) if not line.strip()] or [len(lines)]
    position = chooser.choice(breaks)
    return "\n".join([*lines[:position], "", attack, "", *lines[position:]])
