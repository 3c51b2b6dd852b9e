"""What a sentence must be before anybody sees it, whatever wrote it: each rule has a name, a check and self-tests.

Here: the rules of a shown sentence and their known-bad and known-good examples. Not here: the gate, which judges a sentence
as it judges a doc (depcodex_assets.gate); names (depcodex_assets.screens).

A rule looks at the sentence alone, or at the sentence beside the text it was made from. Rules are no part of a sentence's
key: when they change, stored sentences are checked again and none is made again.
"""

from __future__ import annotations

import functools
import math
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

from depcodex_assets.general_words import is_general
from depcodex_assets.rewriters.inflection import singular
from depcodex_assets.rewriters.interface import Text

# Changes with any rule; rows checked under another version are stale and are checked again.
OUTPUT_RULES_VERSION = "1"
MAX_WORDS = 40
MIN_WORDS = 2
MAX_CHARACTERS = 360
# As many words in a row from the raw text are its prose.
RUN_WORDS = 6

_WORD = re.compile(r"[^\W_]+(?:['’][a-z]+)?")
_TOKEN = re.compile(r"\S+")
_IDENTIFIER_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


@dataclass(frozen=True)
class Subject:
    """One sentence and what the rules compare it with.

    Attributes:
        sentence: as the rewriter gave it.
        lower: the same in lower case.
        words: its words in lower case, without punctuation.
        tokens: cut at spaces, outer punctuation away.
        known: words and identifiers of the name and the signatures, lower case.
        text: what the sentence was made from.
    """

    sentence: str
    lower: str
    words: tuple[str, ...]
    tokens: tuple[str, ...]
    known: frozenset[str]
    text: Text


@dataclass(frozen=True)
class OutputRule:
    """One rule: its name, whether a sentence breaks it, and examples that hold it to its word.

    Attributes:
        name: what a refusal carries, and what a model is told on the second try.
        advice: what to do instead, for that second try.
        is_broken: whether the sentence breaks the rule.
        bad: sentences about ``Session.get`` that break it.
        good: near misses that do not.
    """

    name: str
    advice: str
    is_broken: Callable[[Subject], bool]
    bad: tuple[str, ...]
    good: tuple[str, ...]


def broken_rule(sentence: str, text: Text) -> str | None:
    """The name of the first rule that ``sentence`` breaks; None where it may be shown (the gate still has its say).

    >>> text = Text("0" * 64, "python", "docstring", "method", "Session.get", ("def get(self, url)",), "Fetches a page.")
    >>> broken_rule("Gets the page behind a URL.", text) is None
    True
    >>> broken_rule("You must get the page.", text)
    'obligation'
    """
    subject = _subject(sentence, text)
    return next((rule.name for rule in RULES if rule.is_broken(subject)), None)


def advice(rule_name: str) -> str:
    """What a model is told after ``rule_name`` refused its sentence; empty for an unknown rule."""
    return next((rule.advice for rule in RULES if rule.name == rule_name), "")


def _subject(sentence: str, text: Text) -> Subject:
    return Subject(
        sentence=sentence,
        lower=sentence.lower().replace("’", "'"),
        words=tuple(each.lower() for each in _WORD.findall(sentence)),
        tokens=tuple(each.strip(".,;:!?'’()") for each in _TOKEN.findall(sentence)),
        known=_known_words(text.name, text.signatures),
        text=text,
    )


@functools.lru_cache(maxsize=1024)
def _known_words(name: str, signatures: tuple[str, ...]) -> frozenset[str]:
    """Words that are the declaration's own: identifiers of name and signatures, whole and taken apart.

    String content and comments of a signature are prose and count as no words of it.
    """
    found: set[str] = set()
    for source in (name, *(_STRINGS_AND_COMMENTS.sub(" ", each[:4000]) for each in signatures)):
        for identifier in re.findall(r"[^\W\d]\w*", source):
            found.add(identifier.lower())
            found.update(part.lower() for part in _IDENTIFIER_WORD.findall(identifier))
    return frozenset(found)


_STRINGS_AND_COMMENTS = re.compile(
    r"\"{3}.*?\"{3}|'{3}.*?'{3}|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|#[^\n]*|//[^\n]*|/\*.*?\*/", re.DOTALL
)

# Letters

_PLAIN_CHARACTERS = re.compile(r"[ -~À-ÖØ-öø-ÿ‘’–—]*")


def _is_not_plain(subject: Subject) -> bool:
    return not _PLAIN_CHARACTERS.fullmatch(subject.sentence)


# Shape

_INNER_END = re.compile(r"[!?]|\.(?=\s+[A-Z])|(?<![.])\.\.+|…")
_ABBREVIATION_END = re.compile(r"\b(?:e\.g|i\.e|etc|vs|cf|approx|incl|resp|no|st|dr|mr|ms)\.$", re.IGNORECASE)


def _is_not_one_sentence(subject: Subject) -> bool:
    sentence = subject.sentence
    if sentence != sentence.strip() or "\n" in sentence or not sentence.endswith("."):
        return True
    if not (sentence[:1].isupper() or sentence[:1].isdigit()):
        return True
    body = sentence[:-1]
    for match in _INNER_END.finditer(body):
        if match[0] == "." and _ABBREVIATION_END.search(body[: match.end()]):
            continue
        return True
    return body.endswith(".") and not _ABBREVIATION_END.search(sentence)


def _is_too_long(subject: Subject) -> bool:
    return len(subject.sentence.split()) > MAX_WORDS or len(subject.sentence) > MAX_CHARACTERS


def _is_too_short(subject: Subject) -> bool:
    return len(subject.words) < MIN_WORDS


# Voice

_BASE_VERBS = frozenset(
    ["abort", "accept", "access", "activate", "add", "adjust", "allow", "analyze", "append", "apply", "approve", "ask", "assign", "assume", "attach", "avoid", "become", "begin", "bind", "bring", "build", "bypass", "calculate", "call", "carry", "choose", "clear", "close", "collect", "combine", "commit", "compare", "complete", "compute", "configure", "confirm", "connect", "consider", "construct", "contact", "continue", "convert", "copy", "create", "customize", "declare", "decode", "define", "delete", "deploy", "describe", "destroy", "determine", "disable", "disregard", "do", "download", "draw", "emit", "enable", "encode", "ensure", "enter", "erase", "evaluate", "execute", "expand", "extract", "fetch", "find", "follow", "forget", "generate", "get", "give", "go", "grant", "handle", "hide", "ignore", "implement", "import", "include", "indicate", "inform", "initialize", "insert", "inspect", "install", "instantiate", "invoke", "join", "keep", "know", "leave", "let", "load", "locate", "maintain", "make", "manage", "merge", "modify", "move", "never", "notice", "obtain", "omit", "open", "optimize", "output", "overwrite", "parse", "paste", "perform", "prefer", "prepare", "prevent", "proceed", "produce", "provide", "publish", "put", "raise", "read", "recommend", "register", "reject", "remember", "remove", "replace", "reply", "represent", "resolve", "respond", "retrieve", "reveal", "say", "see", "select", "send", "serialize", "show", "skip", "solve", "specify", "submit", "subscribe", "suggest", "take", "tell", "terminate", "translate", "transmit", "treat", "try", "update", "use", "validate", "verify", "visit", "wait", "wipe", "write", "yield"]
)
# Verbs that are nouns as well: an order only where an article or the like follows.
_EITHER = frozenset(
    ["answer", "archive", "backup", "branch", "buffer", "build", "cache", "call", "change", "check", "clean", "clone", "compile", "copy", "count", "curl", "display", "dump", "echo", "edit", "exit", "export", "filter", "fork", "format", "git", "group", "import", "index", "install", "iterate", "launch", "list", "load", "lock", "log", "look", "map", "mark", "match", "merge", "mount", "name", "note", "open", "order", "override", "patch", "paste", "ping", "plot", "post", "print", "process", "pull", "push", "query", "read", "record", "redirect", "release", "rename", "report", "request", "reset", "restart", "return", "reverse", "review", "round", "route", "run", "save", "scan", "schedule", "search", "set", "share", "sign", "sort", "split", "start", "step", "stop", "store", "stream", "sum", "switch", "test", "trace", "transfer", "transform", "trigger", "trust", "turn", "type", "upgrade", "upload", "view", "watch", "wrap"]
)
_AFTER_AN_ORDER = frozenset(
    ["a", "all", "an", "any", "each", "every", "everything", "it", "its", "itself", "no", "only", "some", "that", "the", "their", "them", "these", "this", "those", "to", "your"]
)
_ORDER_STARTS = frozenset(
    ["always", "be", "don't", "dont", "just", "kindly", "let's", "never", "please", "do", "not", "now", "first", "then", "next", "also"]
) - {"first", "next", "not"}
_CLAUSE = re.compile(r"[;:–—]\s*|,\s+(?:and\s+)?(?:then\s+|please\s+|always\s+|never\s+)|\bthen\s+")


def _is_order(words: tuple[str, ...]) -> bool:
    if not words:
        return False
    first, second = words[0], words[1] if len(words) > 1 else ""
    if first in _ORDER_STARTS or (first == "do" and second == "not"):
        return True
    if first in _EITHER:
        return second in _AFTER_AN_ORDER or len(words) == 1
    return first in _BASE_VERBS


def _is_imperative(subject: Subject) -> bool:
    if _is_order(subject.words):
        return True
    pieces = _CLAUSE.split(subject.lower)
    return any(_is_order(tuple(_WORD.findall(piece))) for piece in pieces[1:] if piece)


_NOT_I = re.compile(r"\bi/o\b|\bi\.e\b")
_FIRST_PERSON = frozenset(
    ["i", "i'm", "i'll", "i've", "i'd", "me", "my", "mine", "myself", "we", "we're", "we'll", "we've", "us", "our", "ours", "ourselves", "let's"]
)


def _is_first_person(subject: Subject) -> bool:
    words = subject.words
    # "I/O" is no person.
    return any(
        word in _FIRST_PERSON and not (word == "i" and _NOT_I.search(subject.lower)) and word not in subject.known
        for word in words
    )


_ADDRESSES = frozenset(["you", "you're", "you'll", "you've", "you'd", "your", "yours", "yourself", "yourselves", "please", "kindly", "dear"])
_READERS = re.compile(
    r"\b(?:the|this|every|any|all|human|dear)\s+(?:readers?|developers?|programmers?|maintainers?|humans?|operators? of this)\b"
)


def _is_address(subject: Subject) -> bool:
    if any(word in _ADDRESSES for word in subject.words):
        return True
    found = _READERS.search(subject.lower)
    return found is not None and found[0].split()[-1] not in subject.known


_OBLIGATION = re.compile(
    r"\b(?:must|shall|should|shouldn't|mustn't|ought|obliged?|obligatory|mandatory|imperative|had better)\b"
    r"|\b(?:ha(?:s|ve|d)|needs?|required|expected|supposed|urged|advised|instructed|told|asked|recommended|ordered)\s+to\b(?!\s+be\b)"
    r"|\b(?:needs?|ha(?:s|ve)) to be (?:deleted|removed|installed|executed|run|sent|disabled|replaced|ignored|wiped)\b"
    r"|\b(?:make|be|being) sure\b|\bit is (?:necessary|required|important|essential|crucial|vital|safe|fine|ok|okay|best|better) (?:to|that)\b"
    r"|\bwithout (?:asking|confirming|telling|informing|notifying|review)\b|\bdo(?:es)? not (?:mention|tell|reveal|report|disclose)\b"
)


def _is_obligation(subject: Subject) -> bool:
    found = _OBLIGATION.search(subject.lower)
    return found is not None and not (" " not in found[0] and found[0] in subject.known and found[0] != "must")


# What has no place in a sentence

_URL = re.compile(
    r"(?:https?|ftp|file|ssh|git|wss?|data|javascript):\s?/?/?\S|://|\bwww\.|\b[\w.+-]+@[\w-]+\b|\b\d{1,3}(?:\.\d{1,3}){3}\b"
    r"|\b(?:[a-z0-9-]+\.)+(?:ai|app|biz|cc|ch|click|cloud|cn|co|com|de|dev|edu|eu|fr|gg|gov|info|io|land|link|me|net|online|org|ru|sh|site|"
    r"so|store|tech|to|top|tv|uk|us|xyz|zip)\b(?!\()"
)


def _is_url(subject: Subject) -> bool:
    found = _URL.search(subject.lower)
    return found is not None and found[0] not in subject.known


_PATH = re.compile(
    r"(?:^|[\s'(])(?:~|\.{1,2})?/[\w.~-]|\w/\w+/\w|[a-z]:\\|\\\\|\.{2}/|~/|\b[\w-]+/[\w-]*[._-][\w-]+"
    r"|(?:^|\s)\.(?:bashrc|zshrc|env|ssh|aws|netrc|npmrc|pypirc|profile|git|config|gnupg|kube|docker)\b"
    r"|\b[\w-]+\.(?:py|sh|bash|exe|bat|ps1|js|ts|rb|pem|cfg|ini|toml|yaml|yml|json|env|lock|so|dll|whl|jar)\b"
)


def _is_path(subject: Subject) -> bool:
    found = _PATH.search(subject.lower)
    return found is not None


_COMMAND = re.compile(
    r"\b(?:pip3?|pipx|uv|npm|npx|yarn|pnpm|bun|cargo|gem|brew|apt|apt-get|conda|poetry|go|composer|docker|kubectl|git|make|gradle|mvn)"
    r"\s+(?:install|add|i|run|uninstall|get|exec|push|pull|clone|commit|checkout|reset|remove|apply|publish|update|upgrade|sync|rm)\b"
    r"|\b(?:sudo|chmod|chown|mkfs|crontab|nohup|xargs|systemctl|powershell|iex|invoke-webrequest)\s+\S"
    r"|\b(?:curl|wget|bash|sh|zsh|eval|nc|ssh|scp)\s+(?:-|http|[<|$'\"])|\brm\s+-|\bpython3?\s+-[cm]\b"
    r"|(?:^|\s)--[a-z][\w-]+|(?:^|\s)-[a-zA-Z](?=\s|$)|\s(?:\|\||&&|>>|\|)\s"
)


def _is_command(subject: Subject) -> bool:
    return _COMMAND.search(subject.lower) is not None


_CODE = re.compile(r"[`{}<>\[\]$\\|^~=#*\"@]|\w\(|->|::|%[a-z(]|\(\)|&&|;\s*$|\b0x[0-9a-f]+\b|_")
_DOTTED = re.compile(r"\b[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+\b")
_DOTTED_ENGLISH = frozenset({"e.g", "i.e", "a.m", "p.m", "u.s", "node.js"})


def _is_code(subject: Subject) -> bool:
    """Signs that prose has no use for. An identifier of the declaration itself is a word like another."""
    sentence = subject.sentence
    if "_" in sentence or "." in sentence[:-1]:
        for token in subject.tokens:
            if "_" in token and token.lower().strip("_") in subject.known | {each.strip("_") for each in subject.known}:
                sentence = sentence.replace(token, "name")
        if any(
            each.lower() not in _DOTTED_ENGLISH and not _is_own_dotted(each, subject)
            for each in _DOTTED.findall(sentence)
        ):
            return True
    return _CODE.search(sentence) is not None


def _is_own_dotted(token: str, subject: Subject) -> bool:
    return all(part.lower() in subject.known for part in token.split("."))


_SECRET_PREFIX = re.compile(
    r"\b(?:sk|pk|ghp|gho|ghs|github_pat|glpat|xox[abpr]|akia|asia|aiza|ey[ji])[-_A-Za-z0-9]{12,}", re.IGNORECASE
)
_HEXADECIMAL = re.compile(r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{10,}\b", re.IGNORECASE)
_CHANGE = re.compile(r"(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])")
_CONSONANTS = re.compile(r"[bcdfghjklmnpqrstvwxz]{6,}")


def _entropy(token: str) -> float:
    """Bits a character."""
    counts = [token.count(each) for each in set(token)]
    return -sum(count / len(token) * math.log2(count / len(token)) for count in counts)


def _is_secret_token(token: str) -> bool:
    if _SECRET_PREFIX.search(token) or _HEXADECIMAL.search(token):
        return True
    pieces = [each for each in re.split(r"[-/_.]", token) if each]
    for piece in pieces:
        changes = len(_CHANGE.findall(piece))
        if changes >= 3 or (len(piece) > 12 and changes >= 1 and _entropy(piece) > 3.2):
            return True
        if _CONSONANTS.search(piece) or (len(piece) > 28 and piece.isalnum()):
            return True
        mixed = re.findall(r"[a-z][A-Z]", piece)
        if len(piece) >= 16 and len(mixed) >= 4 and _entropy(piece) > 3.6:
            return True
    return bool(re.fullmatch(r"\+?\d[\d -]{7,}", token))


def _is_secret(subject: Subject) -> bool:
    return any(
        _is_secret_token(token)
        for token in subject.tokens
        if len(token) > 5 and not _is_own(token.lower(), subject.known)
    )


# Words taken from the raw text


def _doc_words(text: Text) -> str:
    """The doc's words, spaces between and around; strings and comments of signatures are raw text as well."""
    raw = text.doc or ""
    strings = " \n ".join(found for each in text.signatures for found in _STRINGS_AND_COMMENTS.findall(each[:4000]))
    return f" {' '.join(each.lower() for each in _WORD.findall(raw))} \n {' '.join(each.lower() for each in _WORD.findall(strings))} "


_GLUE = frozenset(
    ["a", "an", "and", "as", "at", "by", "for", "from", "if", "in", "into", "is", "it", "its", "of", "on", "or", "that", "the", "their", "to", "whether", "which", "with"]
)


def _is_verbatim(subject: Subject) -> bool:
    """Six words in a row from the raw text, or the whole of a shorter one; the declaration's own words aside."""
    if not subject.text.doc and not subject.text.signatures:
        return False
    raw = _doc_words(subject.text)
    words = subject.words
    for start in range(len(words) - RUN_WORDS + 1):
        window = words[start : start + RUN_WORDS]
        if f" {' '.join(window)} " in raw and not all(each in subject.known for each in window):
            return True
    whole = raw.split("\n")[0].strip()
    if not 4 <= len(whole.split()) < RUN_WORDS:
        return False
    strange = [each for each in whole.split() if each not in subject.known and each not in _GLUE]
    return f" {whole} " in f" {' '.join(words)} " and len(strange) >= 3


def _is_rare_word(subject: Subject) -> bool:
    """A word of the doc that is neither the declaration's nor common property: a canary, a package, a person."""
    doc = (subject.text.doc or "").lower()
    for word in subject.words:
        plain = unicodedata.normalize("NFKD", word.split("'")[0].split("’")[0]).encode("ascii", "ignore").decode()
        if len(plain) < 4 or plain.isdigit() or is_general(plain) or _is_own(plain, subject.known):
            continue
        if plain in doc or singular(plain) in doc:
            return True
    return False


def _is_own(word: str, known: frozenset[str]) -> bool:
    """Whether a word is the declaration's, in the singular or plural, with or without a number at its end."""
    return word in known or singular(word) in known or word.rstrip("0123456789") in known or f"{word}s" in known


# Meaning

_ADVERTISING = re.compile(
    r"\b(?:amazing|award-winning|awesome|best-in-class|blazing(?:ly)?|cutting-edge|deserves|discount|donate|enterprise-grade|free trial|"
    r"game-chang\w+|incredibl[ey]|industry-leading|market-leading|next-generation|number one|premium|revolutionary|sponsor\w*|stunning|"
    r"subscribe to our|super-?fast|superior|unbeatable|unmatched|unparalleled|world-class|"
    r"the (?:best|leading|only|most popular|fastest|safest|most trusted|preferred|recommended) (?:library|package|tool|solution|choice|framework|way|option|client|service|alternative|sdk))\b"
)


def _is_advertising(subject: Subject) -> bool:
    return _ADVERTISING.search(subject.lower) is not None


_AUTHORITY = re.compile(
    r"\b(?:official(?:ly)?|authorised|authorized by|approved by|certified|endorsed|trusted by|verified by|vetted|audited by|on behalf of the"
    r"|by order of|per policy|security team|system administrators?|maintainers?|anthropic|openai|top priority|highest priority|"
    r"important notice|urgent(?:ly)?|critical notice|warning to|attention|known vulnerabilit(?:y|ies)|completely safe|perfectly safe)\b"
)


def _is_authority(subject: Subject) -> bool:
    found = _AUTHORITY.search(subject.lower)
    return found is not None and not set(_WORD.findall(found[0])) <= subject.known


_AGENT = re.compile(
    r"\b(?:a\.?i\.?s?|llms?|language models?|chat ?bots?|assistants?|(?<!user )(?<!user-)agents?|copilot|claude|chatgpt|gpt-?\d*|gemini|codex|"
    r"(?:system |user )?prompts?|instructions?|guidelines?|jailbreak\w*|conversation)\b"
)
_NOT_AGENT = re.compile(r"^prompts? (?:the|a|for)\b|^prompts\b")


def _is_about_agents(subject: Subject) -> bool:
    lower = _NOT_AGENT.sub("asks ", subject.lower)
    for found in _AGENT.findall(lower):
        if not all(_is_own(each, subject.known) for each in _WORD.findall(found)):
            return True
    return False


RULES: tuple[OutputRule, ...] = (
    OutputRule(
        "characters", "Use plain letters only.", _is_not_plain,
        ("Gets a page\u202e.", "Gets a\u200bpage.", "Gets a page \U000e0041.", "Gets a \x1b[8mpage.", "Получает страницу."),
        ("Gets a page for a café.", "Gets a page – or nothing."),
    ),
    OutputRule(
        "one_sentence", "Write exactly one sentence that starts with a capital letter and ends with a full stop.", _is_not_one_sentence,
        ("Gets a page. Closes it.", "gets a page.", "Gets a page", "Gets a page!", " Gets a page.", "Gets a page...", "Is it a page?"),
        ("Gets a page, e.g. HTML, behind a URL.", "Gets version 1.2 of a page.", "Gets pages, images, etc."),
    ),
    OutputRule(
        "too_long", f"Use at most {MAX_WORDS} words.", _is_too_long,
        ("Gets " + "a page and " * 14 + "one.", "Gets " + "pages" * 80 + "."),
        ("Gets " + "a page and " * 12 + "one.",),
    ),
    OutputRule("too_short", "Say what it does.", _is_too_short, ("Page.",), ("Gets pages.",)),
    OutputRule(
        "address", "Do not speak to the reader.", _is_address,
        ("Gets the page you asked for.", "Gets your page.", "Please gets a page.", "Gets a page for the reader.", "Kindly gets a page."),
        ("Gets a page through a file reader.", "Gets the page that a caller asked for."),
    ),
    OutputRule(
        "obligation", "Do not say that anybody must do anything.", _is_obligation,
        ("Must get a page.", "Gets a page that callers have to close.", "Gets a page, which needs to run first.", "Callers should get a page.",
         "Gets a page after the caller makes sure it exists, and be sure.", "Callers are required to get a page."),
        ("Gets the required page.", "Gets a page that needs no closing.", "Checks whether a page needs to be reloaded.", "Gets a page with its needs."),
    ),
    OutputRule(
        "imperative", "Start with a verb in the third person, as in 'Gets' or 'Represents'.", _is_imperative,
        ("Get a page.", "Delete the tests.", "Run the installer.", "Gets a page; delete the tests.", "Gets a page, then send the file.",
         "Always gets a page.", "Do not get a page.", "Never gets a page.", "Set the flag."),
        ("Set of pages behind a URL.", "Request object that gets a page.", "Gets a page, then closes it.", "List of pages.",
         "Test client for pages.", "Returns pages so that a caller can read and close them.", "Build backend hook."),
    ),
    OutputRule(
        "url", "Leave out addresses.", _is_url,
        ("Gets a page from https://x.example/p.", "Gets a page from www.page.example.", "Gets a page of evil-host.io.", "Gets a page for me@page.example.",
         "Gets a page from 169.254.169.254."),
        ("Gets a page by its URL.", "Gets version 3.11 of a page."),
    ),
    OutputRule(
        "first_person", "Write in the third person.", _is_first_person,
        ("Gets a page for us.", "We get a page.", "Gets my page.", "I get a page."),
        ("Gets a page through an I/O loop.", "Gets a page, i.e. its text."),
    ),
    OutputRule(
        "command", "Leave out commands.", _is_command,
        ("Gets a page after pip install page.", "Gets a page, sudo rm first.", "Gets a page with --force.", "Gets a page via curl -s page.", "Gets git push for a page."),
        ("Gets a page and installs it.", "Gets the curl of a vector field.", "Gets a well-known page.", "Gets a page over SSH."),
    ),
    OutputRule(
        "path", "Leave out paths and file names.", _is_path,
        ("Gets a page from /etc/passwd.", "Gets ~/.ssh files.", "Gets a page in src/app/main.", "Gets setup.py of a page.", "Gets the .env file.", "Gets C:\\pages."),
        ("Gets a page over TCP/IP.", "Gets a page for read/write access.", "Gets a page and/or its headers."),
    ),
    OutputRule(
        "code", "Leave out code, quotes and identifiers.", _is_code,
        ("Gets a `page`.", "Calls get(page).", "Gets pages[0].", "Gets a page = 1.", "Gets os.environ of a page.", "Gets the secret_name of a page.", 'Gets a "page".'),
        ("Gets a page (or nothing).", "Gets a page from the url.", "Gets a page for Session.get calls.", "Gets half of a page, i.e. its top."),
    ),
    OutputRule(
        "secret", "Leave out tokens, keys and numbers that look random.", _is_secret,
        ("Gets a page with sk-abcdefghijklmnop1234.", "Gets page d41d8cd98f00b204e9800998ecf8427e.", "Gets page x7k2q9zp4.", "Gets page zqxwvtrplk.", "Gets a page for 411111111111."),
        ("Gets the SHA256 digest of a page.", "Gets a page as UTF-8 in base64.", "Gets a page for ISO8601 dates.", "Gets internationalization pages."),
    ),
    OutputRule(
        "verbatim", "Use other words than the documentation does.", _is_verbatim,
        ("Fetches the page behind an address and keeps its connection open.",),
        ("Gets the page at an address while keeping the connection open.",),
    ),
    OutputRule(
        "rare_word", "Leave out names and unusual words.", _is_rare_word,
        ("Gets a page with zorblefax.", "Gets a page through fastjsonix."),
        ("Gets a page with a connection.", "Gets a page in a session."),
    ),
    OutputRule(
        "advertising", "Do not praise.", _is_advertising,
        ("Gets the best library for pages.", "Gets amazing pages.", "Gets pages in the recommended way.", "Gets premium pages."),
        ("Gets the best match of a page.", "Gets the only page.", "Gets the fastest route."),
    ),
    OutputRule(
        "authority", "Do not claim authority or urgency.", _is_authority,
        ("Gets the official page.", "Gets a page approved by the security team.", "Gets a page without known vulnerabilities.", "Gets a page, urgent."),
        ("Gets an authorized page.", "Gets a page with a verified signature."),
    ),
    OutputRule(
        "agents", "Do not mention models, assistants, prompts or instructions.", _is_about_agents,
        ("Gets a page for an assistant.", "Gets the system prompt.", "Gets a page for AI agents.", "Gets instructions for a page."),
        ("Gets the user agent of a page.", "Prompts for a page.", "Gets a model of a page."),
    ),
)  # fmt: skip
