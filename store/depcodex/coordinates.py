"""The identity of one library at one version: a package URL that is also the Dagster partition key.

Here: parsing, normalising, identifiers, patterns. Not here: the specification's own rules (depcodex.purls), closures
(depcodex.closure), version ordering by ecosystem (depcodex.versions).

Spec: the package-url specification (purl-spec), names of type pypi normalised as PEP 503 says. A coordinate is stricter
than a package URL: an exact version, one of five types, no qualifier but ``checksum``, no subpath.
"""

from __future__ import annotations

import base64
import fnmatch
import functools
import hashlib
import re
from dataclasses import dataclass
from urllib.parse import unquote

from packageurl import PackageURL

from depcodex.errors import CoordinateError
from depcodex.purls import CASELESS_TYPES, make_purl, parse_purl, purl_text

ECOSYSTEMS = ("pypi", "npm", "maven", "cargo", "golang")
# Dagster reads `...` in a partition argument as a range and does not check dynamic keys (dagster 1.13.27).
_FORBIDDEN_PATTERN = re.compile(r"\.\.\.|[\x00-\x1f\x7f-\x9f\u2028\u2029\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_PATTERN_PATTERN = re.compile(r"(?i:pkg):(?P<type>[A-Za-z]+)/(?P<name>@?[^@]*)(?P<rest>@.*)?", re.DOTALL)
_PEP503_PATTERN = re.compile(r"[-_.]+")
_CHECKSUM_PATTERN = re.compile(r"sha256:[0-9a-f]{64}")
# Parts that need no normalising, refusing or encoding but `@` and `+`: nearly all there are. The general way takes 20
# times as long, and recording runs inside builds.
_WORD = r"[A-Za-z0-9][A-Za-z0-9._-]*"
_LOWER = r"[a-z0-9][a-z0-9._-]*"
_PLAIN_PATTERNS = {
    "pypi": re.compile(r"\|[a-z0-9]+(?:-[a-z0-9]+)*"),
    "npm": re.compile(rf"(?:@{_LOWER})?\|{_LOWER}"),
    "maven": re.compile(rf"{_WORD}\|{_WORD}"),
    "cargo": re.compile(r"\|[A-Za-z0-9][A-Za-z0-9_-]*"),
    "golang": re.compile(rf"{_LOWER}(?:/{_LOWER})*\|{_LOWER}"),
}
_PLAIN_VERSION_PATTERN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")
_PLAIN_PURL_PATTERN = re.compile(r"pkg:([a-z]+)/(?:((?:%40)?[^@%?#]+)/)?([^/@%?#]+)@([^/@%?#]+(?:%2B[^/@%?#]+)*)")
# A longer key overflows file names in Dagster's own storage (measured: 600 characters break it).
MAX_PURL_CHARACTERS = 400


@dataclass(frozen=True, order=True)
class Coordinate:
    """One library at one version.

    Attributes:
        type: the package URL type, one of ``ECOSYSTEMS``.
        namespace: Maven group, npm scope with its ``@``, Go path prefix; empty for PyPI and cargo.
        name: the name as its ecosystem and the specification normalise it: Go paths and npm names are lower case.
        version: the exact version, never a range.
        checksum: ``sha256:<hex>`` of the tree, where one version can hold different content; else empty.

    Example:
        >>> Coordinate.parse("pkg:pypi/Typing_Extensions@4.16.0").purl
        'pkg:pypi/typing-extensions@4.16.0'
    """

    type: str
    namespace: str
    name: str
    version: str
    checksum: str = ""

    @classmethod
    def parse(cls, text: str) -> Coordinate:
        """The coordinate that a package URL names.

        Raises:
            CoordinateError: the text is no package URL, has no version, a type we do not index, a qualifier other than
                ``checksum``, or a character that cannot stand in a partition key.
        """
        return _parse(text)

    @classmethod
    def of(cls, type: str, name: str, version: str, *, namespace: str = "", checksum: str = "") -> Coordinate:
        """The coordinate of these parts, normalised. Raises CoordinateError as ``parse`` does."""
        if not checksum and _is_plain(type, namespace, name, version):
            return cls(type, namespace, name, version)
        try:
            purl = make_purl(
                type,
                name,
                namespace=namespace,
                version=version,
                qualifiers={"checksum": checksum} if checksum else None,
            )
        except ValueError as error:
            raise CoordinateError(f"{type}/{name}@{version}", str(error)) from error
        return _checked(purl, purl_text(purl))

    @functools.cached_property
    def purl(self) -> str:
        """The canonical package URL; also the partition key."""
        if not self.checksum and _is_plain(self.type, self.namespace, self.name, self.version):
            return f"{_plain_library(self.type, self.namespace, self.name)}@{self.version.replace('+', '%2B')}"
        checksum = {"checksum": self.checksum} if self.checksum else None
        return purl_text(
            make_purl(self.type, self.name, namespace=self.namespace, version=self.version, qualifiers=checksum)
        )

    @functools.cached_property
    def library(self) -> str:
        """The package URL without version and qualifiers: what two versions of one library share."""
        if _is_plain(self.type, self.namespace, self.name, "0"):
            return _plain_library(self.type, self.namespace, self.name)
        return purl_text(make_purl(self.type, self.name, namespace=self.namespace))

    @functools.cached_property
    def coordinate_id(self) -> int:
        """The first 63 bits of sha256(purl): the key of every table. A collision is refused by publish."""
        return int.from_bytes(hashlib.sha256(self.purl.encode()).digest()[:8], "big") >> 1

    def with_checksum(self, hex_digest: str) -> Coordinate:
        """The same library keyed by the content of its tree (``hex_digest``: sha256, 64 hexadecimal digits)."""
        return Coordinate(self.type, self.namespace, self.name, self.version, f"sha256:{hex_digest}")

    def matches(self, pattern: str) -> bool:
        """Whether a purl pattern covers this coordinate: ``*`` and ``?`` as in a shell, versions may be left out.

        A pattern with a version covers every tree of that version, whatever its checksum. Names are compared as their
        ecosystem does, percent-encoded or not: a hold that somebody spelt in another way must hold.

        Example:
            >>> Coordinate.parse("pkg:pypi/requests@2.32.3").matches("pkg:pypi/req*")
            True
            >>> Coordinate.parse("pkg:pypi/typing-extensions@4.16.0").matches("pkg:pypi/Typing_Extensions")
            True
        """
        normal = _normal_pattern(pattern)
        return any(fnmatch.fnmatchcase(text, normal) for text in self._matched)

    @functools.cached_property
    def _matched(self) -> tuple[str, ...]:
        # Decoded, as patterns are: `%40scope/name@1.0.0+build` is neither wholly encoded nor wholly plain.
        return unquote(self.purl), unquote(self.library), unquote(self.purl.partition("?")[0])

    def __str__(self) -> str:
        return self.purl


def entry_id(purl: str, symbol: str) -> str:
    """The id of a result: 20 base32 characters of sha256(purl, symbol), lower case."""
    digest = hashlib.sha256(f"{purl}\n{symbol}".encode()).digest()
    # 15 bytes make 24 characters: encoding all 32 takes twice as long, and a store has an id a row.
    return base64.b32encode(digest[:15])[:20].decode().lower()


@functools.lru_cache(maxsize=1024)
def _normal_pattern(pattern: str) -> str:
    """The pattern decoded, with its type and name as that type normalises them; wildcards stay."""
    match = _PATTERN_PATTERN.fullmatch(unquote(pattern))
    if match is None:
        return unquote(pattern)
    type, name = match["type"].lower(), match["name"]
    if type == "pypi":
        name = _PEP503_PATTERN.sub("-", name).lower()
    elif type in CASELESS_TYPES:
        name = name.lower()
    return f"pkg:{type}/{name}{match['rest'] or ''}"


def _is_plain(type: str, namespace: str, name: str, version: str) -> bool:
    """Whether the parts are their own normal form, and nothing in them is refused or encoded but ``@`` and ``+``."""
    pattern = _PLAIN_PATTERNS.get(type)
    return (
        pattern is not None
        and pattern.fullmatch(f"{namespace}|{name}") is not None
        and _PLAIN_VERSION_PATTERN.fullmatch(version) is not None
        and "..." not in f"{namespace}{name}{version}"
        # `@` and `+` take two characters more.
        and len(type) + len(namespace) + len(name) + 3 * len(version) < MAX_PURL_CHARACTERS - 10
    )


def _plain_library(type: str, namespace: str, name: str) -> str:
    return f"pkg:{type}/{namespace.replace('@', '%40')}/{name}" if namespace else f"pkg:{type}/{name}"


@functools.lru_cache(maxsize=65536)
def _parse(text: str) -> Coordinate:
    plain = _PLAIN_PURL_PATTERN.fullmatch(text)
    if plain:
        parts = (plain[1], (plain[2] or "").replace("%40", "@"), plain[3], plain[4].replace("%2B", "+"))
        if _is_plain(*parts):
            return Coordinate(*parts)
    try:
        purl = parse_purl(text)
    except ValueError as error:
        raise CoordinateError(text, "not a package URL") from error
    return _checked(purl, text)


def _checked(purl: PackageURL, text: str) -> Coordinate:
    if purl.type not in ECOSYSTEMS:
        raise CoordinateError(text, f"type {purl.type!r} is not one of {', '.join(ECOSYSTEMS)}")
    if not purl.version:
        raise CoordinateError(text, "a coordinate names an exact version")
    qualifiers = purl.qualifiers if isinstance(purl.qualifiers, dict) else {}
    checksum = qualifiers.get("checksum", "")
    if checksum and not _CHECKSUM_PATTERN.fullmatch(checksum):
        raise CoordinateError(text, "the checksum qualifier is not sha256:<64 hexadecimal digits>")
    if set(qualifiers) - {"checksum"} or purl.subpath:
        raise CoordinateError(text, "only the qualifier checksum can be part of a coordinate")
    name = _PEP503_PATTERN.sub("-", purl.name).lower() if purl.type == "pypi" else purl.name
    parts = (purl.type, purl.namespace or "", name, purl.version, checksum)
    if any(_FORBIDDEN_PATTERN.search(part) for part in parts):
        raise CoordinateError(text, "`...`, control and invisible characters cannot stand in a coordinate")
    coordinate = Coordinate(*parts)
    if len(coordinate.purl) > MAX_PURL_CHARACTERS:
        raise CoordinateError(text[:80], f"longer than {MAX_PURL_CHARACTERS} characters")
    try:
        again = parse_purl(coordinate.purl)
    except ValueError as error:
        raise CoordinateError(text, "not a package URL") from error
    if (again.namespace or "", again.name, again.version) != parts[1:4]:
        # Blanks and slashes at the ends of parts are lost in writing: two coordinates would be one partition.
        raise CoordinateError(text, "its parts cannot be told from their package URL")
    return coordinate
