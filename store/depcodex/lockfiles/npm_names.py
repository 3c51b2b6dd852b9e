"""Names, versions, specifiers and integrity strings of the npm family, as every lock of it writes them.

Here: coordinates of npm packages, what a dependency's specifier points at, subresource integrity. Not here: any lock
file, package.json (depcodex.lockfiles.npm_manifest).

Specs: npm's documentation, "package-spec" and "package.json"; W3C Subresource Integrity; Semantic Versioning 2.0.0.
"""

from __future__ import annotations

import binascii
import re

from depcodex.coordinates import Coordinate

_PLAIN_NAME_PATTERN = re.compile(r"(?:(@[a-z0-9][a-z0-9._-]{0,60})/)?([a-z0-9][a-z0-9._-]{0,100})")
_PLAIN_VERSION_PATTERN = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+(?:-[A-Za-z0-9.-]{1,60})?")
_VERSION_PATTERN = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?")
_INTEGRITY_PATTERN = re.compile(r"(sha(?:1|256|384|512))-([A-Za-z0-9+/]+={0,2})")
_DIGEST_BYTES = {"sha1": 20, "sha256": 32, "sha384": 48, "sha512": 64}
_GIT_PATTERN = re.compile(
    r"git(?:\+[a-z]+)?:|git@|ssh:|(?:github|gitlab|bitbucket|gist):|[^:@]+@[^:]+:[^/]"
    r"|https?:[^#?]*\.git(?:$|[#?])|https?://codeload\.[^/]+/[^/]+/[^/]+/tar\.gz/"
)
# `owner/repository`, GitHub's shorthand; a scoped name starts with @, a path with a dot or a slash.
_SHORTHAND_PATTERN = re.compile(r"[^@./~:\s][^:/\s]*/[^:/\s@][^:/\s]*")


def split_name(name: str) -> tuple[str, str]:
    """Scope with its ``@`` (or "") and bare name.

    Example:
        >>> split_name("@types/node"), split_name("express")
        (('@types', 'node'), ('', 'express'))
    """
    if name.startswith("@") and "/" in name:
        scope, _, bare = name.partition("/")
        return scope, bare
    return "", name


def full_name(coordinate: Coordinate) -> str:
    """The name as an asker writes it, scope included."""
    return f"{coordinate.namespace}/{coordinate.name}" if coordinate.namespace else coordinate.name


def npm_coordinate(name: str, version: str) -> Coordinate:
    """The coordinate of a package on npm.

    Raises:
        CoordinateError: the name or version cannot stand in one.

    Example:
        >>> npm_coordinate("@types/node", "22.0.0").purl
        'pkg:npm/%40types/node@22.0.0'
    """
    plain = _PLAIN_NAME_PATTERN.fullmatch(name)
    if plain and ".." not in name and ".." not in version and _PLAIN_VERSION_PATTERN.fullmatch(version):
        # Nothing to encode but the scope's sign, nothing to refuse: the general way takes 20 times as long, for the
        # coordinate and again for its purl, and a lock has a thousand (measured 2026-12-01: 40 % of reading one).
        coordinate = Coordinate("npm", plain[1] or "", plain[2], version)
        scope = f"%40{plain[1][1:]}/" if plain[1] else ""
        vars(coordinate)["purl"] = f"pkg:npm/{scope}{plain[2]}@{version}"
        return coordinate
    scope, bare = split_name(name)
    return Coordinate.of("npm", bare, version, namespace=scope)


def is_version(text: str) -> bool:
    """Whether a text is one exact version as npm has them."""
    return _VERSION_PATTERN.fullmatch(text) is not None


def split_at_version(text: str) -> tuple[str, str]:
    """``name@rest`` in two; the ``@`` of a scope is part of the name.

    Example:
        >>> split_at_version("@types/node@npm:^22"), split_at_version("express")
        (('@types/node', 'npm:^22'), ('express', ''))
    """
    at = text.find("@", 1)
    return (text, "") if at < 0 else (text[:at], text[at + 1 :])


def alias_target(specifier: str) -> str:
    """The real name where a specifier gives a package another name (``npm:real@1``), else "".

    Example:
        >>> alias_target("npm:@scope/real@^1"), alias_target("npm:^1"), alias_target("^1")
        ('@scope/real', '', '')
    """
    if not specifier.startswith("npm:"):
        return ""
    name, rest = split_at_version(specifier[4:])
    # yarn berry writes `npm:^1` for the registry's own packages; only a name is followed by `@`.
    return name if rest or (_PLAIN_NAME_PATTERN.fullmatch(name) and not _is_range(name)) else ""


def _is_range(text: str) -> bool:
    return bool(re.match(r"[0-9v^~<>=*xX]", text)) or text in ("latest", "next")


def origin_of(specifier: str) -> str:
    """Where a package comes from that no registry serves, else "".

    Args:
        specifier: of package.json, or what a lock resolved it to.

    Returns:
        ``git``, ``url``, ``file``, ``link``, ``workspace``, or "".

    Example:
        >>> [origin_of(each) for each in ("^1.0.0", "github:a/b#main", "file:../c", "https://host.example/d.tgz")]
        ['', 'git', 'file', 'url']
    """
    for scheme in ("file", "link", "portal", "workspace"):
        if specifier.startswith(scheme + ":"):
            return "link" if scheme == "portal" else scheme
    if _GIT_PATTERN.match(specifier):
        return "git"
    if specifier.startswith(("http:", "https:")):
        return "url"
    if specifier.startswith(("./", "../", "/", "~/")):
        return "file"
    return "git" if _SHORTHAND_PATTERN.fullmatch(specifier) else ""


def integrity_digests(text: str) -> tuple[str, ...]:
    """``<algorithm>:<hex>`` of each hash of an integrity string, sorted; what is no hash is passed over.

    Example:
        >>> integrity_digests("sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=")
        ('sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709',)
    """
    found = set()
    for algorithm, encoded in _INTEGRITY_PATTERN.findall(text):
        try:
            digest = binascii.a2b_base64(encoded)
        except binascii.Error:
            continue
        if len(digest) == _DIGEST_BYTES[algorithm]:
            found.add(f"{algorithm}:{digest.hex()}")
    return tuple(sorted(found))
