"""Package URLs as the specification writes them: parsing, building and the canonical text.

Here: the specification's rules for our five types, on top of packageurl-python. Not here: what a coordinate refuses
beyond them (depcodex.coordinates), the rows of a bill of materials (depcodex.lockfiles.bills).

Spec: package-url/purl-spec (ECMA-427) with its type definitions. packageurl-python 0.17.6 differs from it in two things
that are set right here: a ``/`` in a qualifier's value is written ``%2F``, and golang paths and npm scopes are lower
case. The case that such a name has in its ecosystem is kept beside the coordinate.
"""

from __future__ import annotations

from packageurl import PackageURL

# Type definitions of the specification whose namespace and name are "case_sensitive: false".
CASELESS_TYPES = frozenset({"golang", "npm"})


def parse_purl(text: str) -> PackageURL:
    """The parts that a package URL names, normalised as its type has it.

    Raises:
        ValueError: the text is no package URL.

    Example:
        >>> parse_purl("pkg:GOLANG/github.com/BurntSushi/toml@v1.4.0").namespace
        'github.com/burntsushi'
    """
    return _normalised(PackageURL.from_string(text))


def make_purl(
    type: str,
    name: str,
    *,
    namespace: str = "",
    version: str = "",
    qualifiers: dict[str, str] | None = None,
    subpath: str = "",
) -> PackageURL:
    """The package URL of these parts, normalised as its type has it. Raises ValueError where they make none."""
    return _normalised(
        PackageURL(
            type=type,
            namespace=namespace or None,
            name=name,
            version=version or None,
            qualifiers=qualifiers or None,
            subpath=subpath or None,
        )
    )


def purl_text(purl: PackageURL) -> str:
    """The canonical text.

    Example:
        >>> purl_text(parse_purl("pkg:Maven/groovy/groovy@1.0?repository_url=https://maven.example"))
        'pkg:maven/groovy/groovy@1.0?repository_url=https:%2F%2Fmaven.example'
    """
    # `?` and `#` are encoded inside the parts, so the first of each is the separator.
    head, mark, tail = _normalised(purl).to_string().partition("?")
    qualifiers, hash_mark, subpath = tail.partition("#")
    return f"{head}{mark}{qualifiers.replace('/', '%2F')}{hash_mark}{subpath}"


def _normalised(purl: PackageURL) -> PackageURL:
    if not purl.name:
        # `PackageURL(name="/")` has none.
        raise ValueError("a package URL has a name")
    if purl.type not in CASELESS_TYPES:
        return purl
    namespace, name = purl.namespace, purl.name.lower()
    folded = namespace.lower() if namespace else namespace
    return purl if (folded, name) == (namespace, purl.name) else purl._replace(namespace=folded, name=name)
