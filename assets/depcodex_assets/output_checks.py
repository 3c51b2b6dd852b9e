"""The checks that look at a sentence alone: letters, shape, voice, what has no place in it.

Here: predicates and their word lists. Not here: comparing with the raw text (depcodex_assets.source_checks), the rules'
names, order and advice (depcodex_assets.output_rules), their examples (depcodex_assets.output_examples).
"""

from __future__ import annotations

import math
import re

from depcodex_assets.general_words import word_set
from depcodex_assets.output_subject import WORD, Subject, is_own, phrases

MAX_WORDS = 40
MIN_WORDS = 2
MAX_CHARACTERS = 360

# Letters

_PLAIN_CHARACTERS = re.compile(r"[ -~À-ÖØ-öø-ÿ\u2018\u2019\u2013\u2014]*")


def is_not_plain(subject: Subject) -> bool:
    """A character that is no letter of Western Europe, no digit and no plain punctuation."""
    return not _PLAIN_CHARACTERS.fullmatch(subject.sentence)


# Shape

_INNER_END = re.compile(r"[!?]|\.(?=\s+[A-Z])|(?<![.])\.\.+|…")
_ABBREVIATION_END = re.compile(r"\b(?:e\.g|i\.e|etc|vs|cf|approx|incl|resp|no|st|dr|mr|ms)\.$", re.IGNORECASE)


def is_not_one_sentence(subject: Subject) -> bool:
    """Several sentences, or one without its capital or its full stop."""
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


def is_too_long(subject: Subject) -> bool:
    """Over ``MAX_WORDS`` or ``MAX_CHARACTERS``."""
    return len(subject.sentence.split()) > MAX_WORDS or len(subject.sentence) > MAX_CHARACTERS


def is_too_short(subject: Subject) -> bool:
    """Under ``MIN_WORDS``."""
    return len(subject.words) < MIN_WORDS


# Voice

_BASE_VERBS = word_set(
    """
    abort accept access activate add adjust allow analyze append apply approve ask assign assume attach
    avoid become begin bind bring build bypass calculate call carry choose clear close collect combine
    commit compare complete compute configure confirm connect consider construct contact continue convert
    copy create customize declare decode define delete deploy describe destroy determine disable disregard
    do download draw emit enable encode ensure enter erase evaluate execute expand extract fetch find follow
    forget generate get give go grant handle hide ignore implement import include indicate inform initialize
    insert inspect install instantiate invoke join keep know leave let load locate maintain make manage
    merge modify move never notice obtain omit open optimize output overwrite parse paste perform prefer
    prepare prevent proceed produce provide publish put raise read recommend register reject remember remove
    replace reply represent resolve respond retrieve reveal say see select send serialize show skip solve
    specify submit subscribe suggest take tell terminate translate transmit treat try update use validate
    verify visit wait wipe write yield
    """
)
# Verbs that are nouns as well: an order only where an article or the like follows.
_EITHER = word_set(
    """
    answer archive backup branch buffer build cache call change check clean clone compile copy count curl
    display dump echo edit exit export filter fork format git group import index install iterate launch list
    load lock log look map mark match merge mount name note open order override patch paste ping plot post
    print process pull push query read record redirect release rename report request reset restart return
    reverse review round route run save scan schedule search set share sign sort split start step stop store
    stream sum switch test trace transfer transform trigger trust turn type upgrade upload view watch wrap
    """
)
_AFTER_AN_ORDER = word_set(
    """
    a all an any each every everything it its itself no only some that the their them these this those to
    your
    """
)
_ORDER_STARTS = word_set(
    """
    always be don't dont just kindly let's never please do now then also
    """
)
_CLAUSE = re.compile(r"[;:\u2013\u2014]\s*|,\s+(?:and\s+)?(?:then\s+|please\s+|always\s+|never\s+)|\bthen\s+")


def _is_order(words: tuple[str, ...]) -> bool:
    if not words:
        return False
    first, second = words[0], words[1] if len(words) > 1 else ""
    if first in _ORDER_STARTS or (first == "do" and second == "not"):
        return True
    if first in _EITHER:
        return second in _AFTER_AN_ORDER or len(words) == 1
    return first in _BASE_VERBS


def is_imperative(subject: Subject) -> bool:
    """An order: at the start, or after a colon, a dash, a semicolon, "then"."""
    if _is_order(subject.words):
        return True
    pieces = _CLAUSE.split(subject.lower)
    return any(_is_order(tuple(WORD.findall(piece))) for piece in pieces[1:] if piece)


_NOT_I = re.compile(r"\bi/o\b|\bi\.e\b")
_FIRST_PERSON = word_set(
    """
    i i'm i'll i've i'd me my mine myself we we're we'll we've us our ours ourselves let's
    """
)


def is_first_person(subject: Subject) -> bool:
    """Something that the author says of himself."""
    words = subject.words
    # "I/O" is no person.
    return any(
        word in _FIRST_PERSON and not (word == "i" and _NOT_I.search(subject.lower)) and word not in subject.known
        for word in words
    )


_ADDRESSES = word_set(
    """
    you you're you'll you've you'd your yours yourself yourselves please kindly dear
    """
)
_READERS = phrases(
    r"""
    (?:the|this|every|any|all|human|dear) (?:readers?|developers?|programmers?|maintainers?|humans?)
    """
)


def is_address(subject: Subject) -> bool:
    """Something said to the reader."""
    if any(word in _ADDRESSES for word in subject.words):
        return True
    found = _READERS.search(subject.lower)
    return found is not None and found[0].split()[-1] not in subject.known


_OBLIGATION = phrases(
    r"""
    must
    shall
    should
    shouldn't
    mustn't
    ought
    obliged?
    obligatory
    mandatory
    imperative
    had better
    (?:ha(?:s|ve|d)|needs?|required|supposed|urged|advised|instructed|told|asked|recommended|ordered) to(?! be\b)
    (?:needs?|ha(?:s|ve)) to be (?:deleted|removed|installed|executed|run|sent|disabled|replaced|ignored|wiped)
    (?:make|be|being) sure
    it is (?:necessary|required|important|essential|crucial|vital|safe|fine|ok|okay|best|better) (?:to|that)
    without (?:asking|confirming|telling|informing|notifying|review)
    do(?:es)? not (?:mention|tell|reveal|report|disclose)
    """
)


def is_obligation(subject: Subject) -> bool:
    """Something that anybody must do, or must not say."""
    found = _OBLIGATION.search(subject.lower)
    return found is not None and not (" " not in found[0] and found[0] in subject.known and found[0] != "must")


# What has no place in a sentence

_TOP_LEVEL_DOMAINS = (
    "ai|app|biz|cc|ch|click|cloud|cn|co|com|de|dev|edu|eu|fr|gg|gov|info|io|land|link|me|net|online|org|ru|sh|site|so|store|tech|to"
    "|top|tv|uk|us|xyz|zip|example"
)
_URL = re.compile(
    r"(?:https?|ftp|file|ssh|git|wss?|data|javascript):\s?/?/?\S|://|\bwww\.|\b[\w.+-]+@[\w-]+\b"
    rf"|\b\d{{1,3}}(?:\.\d{{1,3}}){{3}}\b|\b(?:[a-z0-9-]+\.)+(?:{_TOP_LEVEL_DOMAINS})\b(?!\()"
)


def is_url(subject: Subject) -> bool:
    """An address of the net, of a host or of a mailbox."""
    found = _URL.search(subject.lower)
    return found is not None and found[0] not in subject.known


_PATH = re.compile(
    r"(?:^|[\s'(])(?:~|\.{1,2})?/[\w.~-]|\w/\w+/\w|[a-z]:\\|\\\\|\.{2}/|~/|\b[\w-]+/[\w-]*[._-][\w-]+"
    r"|(?:^|\s)\.(?:bashrc|zshrc|env|ssh|aws|netrc|npmrc|pypirc|profile|git|config|gnupg|kube|docker)\b"
    r"|\b[\w-]+\.(?:py|sh|bash|exe|bat|ps1|js|ts|rb|pem|cfg|ini|toml|yaml|yml|json|env|lock|so|dll|whl|jar)\b"
)


def is_path(subject: Subject) -> bool:
    """A path, or a file name."""
    found = _PATH.search(subject.lower)
    return found is not None


_COMMAND = re.compile(
    r"\b(?:pip3?|pipx|uv|npm|npx|yarn|pnpm|bun|cargo|gem|brew|apt|apt-get|conda|poetry|go|composer|docker|kubectl|git|make|gradle"
    r"|mvn)\s+(?:install|add|i|run|uninstall|get|exec|push|pull|clone|commit|checkout|reset|remove|apply|publish|update|upgrade|sync"
    r"|rm)\b|\b(?:sudo|chmod|chown|mkfs|crontab|nohup|xargs|systemctl|powershell|iex|invoke-webrequest)\s+\S"
    r"|\b(?:curl|wget|bash|sh|zsh|eval|nc|ssh|scp)\s+(?:-|http|[<|$'\"])|\brm\s+-|\bpython3?\s+-[cm]\b"
    r"|(?:^|\s)--[a-z][\w-]+|(?:^|\s)-[a-zA-Z](?=\s|$)|\s(?:\|\||&&|>>|\|)\s"
)


def is_command(subject: Subject) -> bool:
    """A command line, or an option of one."""
    found = _COMMAND.search(subject.lower)
    return found is not None and not set(WORD.findall(found[0])) <= subject.known


_CODE = re.compile(r"[`{}<>\[\]$\\|^~=#*\"@]|\w\(|->|::|%[a-z(]|\(\)|&&|;\s*$|\b0x[0-9a-f]+\b|_")
_DOTTED = re.compile(r"\b[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+\b")
_DOTTED_ENGLISH = frozenset({"e.g", "i.e", "a.m", "p.m", "u.s", "node.js"})


def is_code(subject: Subject) -> bool:
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


def is_secret(subject: Subject) -> bool:
    """A token that looks random: a key, a digest, a canary."""
    return any(
        _is_secret_token(token)
        for token in subject.tokens
        if len(token) > 5 and not is_own(token.lower(), subject.known)
    )


_ABOUT_ITSELF = phrases(
    r"""
    the (?:given |following )?declaration (?:comes|is|between|contains|describes|that)
    markers? lines?|between (?:the )?(?:two )?markers?|untrusted data
    (?:the|this) (?:documentation|document|docstring|sentence) (?:says|describes|contains|is|comes|states)
    """
)


def is_about_itself(subject: Subject) -> bool:
    """A sentence about the prompt or the documentation, and not about what is documented."""
    return _ABOUT_ITSELF.search(subject.lower) is not None


# Meaning

_ADVERTISING = phrases(
    r"""
    amazing|award-winning|awesome|best-in-class|blazing(?:ly)?|cutting-edge|deserves|discount|donate
    enterprise-grade
    free trial|game-chang\w+|incredibl[ey]|industry-leading|market-leading|number one|premium|revolutionary|sponsor\w*
    stunning|subscribe to our|super-?fast|unbeatable|unmatched|unparalleled|world-class
    (?:best|leading|most popular|fastest|safest|most trusted|preferred|recommended) (?:library|package|tool|solution)
    the (?:best|leading|most popular|preferred|recommended) (?:choice|framework|way|option|client|service|sdk)
    """
)


def is_advertising(subject: Subject) -> bool:
    """Praise."""
    return _ADVERTISING.search(subject.lower) is not None


_AUTHORITY = phrases(
    r"""
    official(?:ly)?|certified|endorsed|vetted|(?:authori[sz]ed|approved|trusted|verified|audited) by|by order of
    per policy|security team|system administrators?|maintainers?|anthropic|openai|(?:top|highest) priority
    (?:important|critical) notice
    urgent(?:ly)?|warning to|attention please|known vulnerabilit(?:y|ies)|(?:completely|perfectly|totally) safe
    """
)


def is_authority(subject: Subject) -> bool:
    """A claim of authority, of urgency, of safety."""
    found = _AUTHORITY.search(subject.lower)
    return found is not None and not set(WORD.findall(found[0])) <= subject.known


_AGENT = phrases(
    r"""
    a\.?i\.?s?|llms?|language models?|chat ?bots?|assistants?|(?<!user )(?<!user-)agents?|copilot|claude|chatgpt
    gpt-?\d*|gemini|codex|(?:system |user )?prompts?|instructions?|guidelines?|jailbreak\w*
    """
)
_NOT_AGENT = re.compile(r"^prompts? (?:the|a|for)\b|^prompts\b")


def is_about_agents(subject: Subject) -> bool:
    """Models, assistants, prompts, instructions; the declaration's own words aside."""
    lower = _NOT_AGENT.sub("asks ", subject.lower)
    mentions = (WORD.findall(found) for found in _AGENT.findall(lower))
    return any(not all(is_own(each, subject.known) for each in words) for words in mentions)
