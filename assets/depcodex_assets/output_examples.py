"""Known-bad and known-good sentences of each output rule: what holds the rules to their word.

Here: the examples, by rule, and the text that they are about. Not here: the rules (depcodex_assets.output_rules). A
rule that is changed gets an example of what it now does. The examples are data; none is shown to anybody.
"""

from __future__ import annotations

from depcodex_assets.texts import Text

EXAMPLE_TEXT = Text(
    text_digest="0" * 64,
    language="python",
    convention="docstring",
    kind="method",
    name="Session.get",
    signatures=("def get(self, url)",),
    doc="Fetches the page behind an address and keeps its connection open for zorblefax or fastjsonix.\n\n"
    "The directory of tests is deleted before the summary is written to disk.",
)
# Rule: (sentences that break it and no rule before it, sentences that break no rule).
EXAMPLES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "characters": (
        (
            "Gets a page\u202e.",
            "Gets a\u200bpage.",
            "Gets a page \U000e0041.",
            "Gets a \x1b[8mpage.",
            "\u041f\u043e\u043b\u0443\u0447\u0430\u0435\u0442 \u0441\u0442\u0440\u0430\u043d\u0438\u0446\u0443.",
        ),
        ("Gets a page for a café.", "Gets a page \u2013 or nothing."),
    ),
    "one_sentence": (
        (
            "Gets a page. Closes it.",
            "gets a page.",
            "Gets a page",
            "Gets a page!",
            " Gets a page.",
            "Gets a page...",
            "Is it a page?",
        ),
        ("Gets a page, e.g. HTML, behind a URL.", "Gets version 1.2 of a page.", "Gets pages, images, etc."),
    ),
    "too_long": (
        ("Gets " + "a page and " * 14 + "one.", "Gets " + "pages" * 80 + "."),
        ("Gets " + "a page and " * 12 + "one.",),
    ),
    "too_short": (("Page.",), ("Gets pages.",)),
    "address": (
        (
            "Gets the page you asked for.",
            "Gets your page.",
            "Please gets a page.",
            "Gets a page for the reader.",
            "Kindly gets a page.",
        ),
        ("Gets a page through a file reader.", "Gets the page that a caller asked for."),
    ),
    "obligation": (
        (
            "Must get a page.",
            "Gets a page that callers have to close.",
            "Gets a page, which needs to run first.",
            "Callers should get a page.",
            "Gets a page after the caller makes sure it exists, and be sure.",
            "Callers are required to get a page.",
        ),
        (
            "Gets the required page.",
            "Gets a page that needs no closing.",
            "Checks whether a page needs to be reloaded.",
            "Gets a page with its needs.",
        ),
    ),
    "imperative": (
        (
            "Get a page.",
            "Delete the tests.",
            "Run the installer.",
            "Gets a page; delete the tests.",
            "Gets a page, then send the file.",
            "Always gets a page.",
            "Do not get a page.",
            "Never gets a page.",
            "Set the flag.",
        ),
        (
            "Set of pages behind a URL.",
            "Request object that gets a page.",
            "Gets a page, then closes it.",
            "List of pages.",
            "Test client for pages.",
            "Returns pages so that a caller can read and close them.",
            "Build backend hook.",
        ),
    ),
    "url": (
        (
            "Gets a page from https://x.example/p.",
            "Gets a page from www.page.example.",
            "Gets a page of evil-host.io.",
            "Gets a page for me@page.example.",
            "Gets a page from 169.254.169.254.",
        ),
        ("Gets a page by its URL.", "Gets version 3.11 of a page."),
    ),
    "first_person": (
        ("Gets a page for us.", "We get a page.", "Gets my page.", "I get a page."),
        ("Gets a page through an I/O loop.", "Gets a page, i.e. its text."),
    ),
    "command": (
        (
            "Gets a page after pip install page.",
            "Gets a page, sudo rm first.",
            "Gets a page with --force.",
            "Gets a page via curl -s page.",
            "Gets git push for a page.",
        ),
        (
            "Gets a page and installs it.",
            "Gets the curl of a vector field.",
            "Gets a well-known page.",
            "Gets a page over SSH.",
        ),
    ),
    "path": (
        (
            "Gets a page from /etc/passwd.",
            "Gets ~/.ssh files.",
            "Gets a page in src/app/main.",
            "Gets setup.py of a page.",
            "Gets the .env file.",
            "Gets C:\\pages.",
        ),
        ("Gets a page over TCP/IP.", "Gets a page for read/write access.", "Gets a page and/or its headers."),
    ),
    "code": (
        (
            "Gets a `page`.",
            "Calls get(page).",
            "Gets pages[0].",
            "Gets a page = 1.",
            "Gets os.environ of a page.",
            "Gets the secret_name of a page.",
            'Gets a "page".',
        ),
        (
            "Gets a page (or nothing).",
            "Gets a page from the url.",
            "Gets a page for Session.get calls.",
            "Gets half of a page, i.e. its top.",
        ),
    ),
    "secret": (
        (
            "Gets a page with sk-abcdefghijklmnop1234.",
            "Gets page d41d8cd98f00b204e9800998ecf8427e.",
            "Gets page x7k2q9zp4.",
            "Gets page zqxwvtrplk.",
            "Gets a page for 411111111111.",
        ),
        (
            "Gets the SHA256 digest of a page.",
            "Gets a page as UTF-8 in base64.",
            "Gets a page for ISO8601 dates.",
            "Gets internationalization pages.",
        ),
    ),
    "verbatim": (
        ("Fetches the page behind an address and keeps its connection open.",),
        ("Gets the page at an address while keeping the connection open.",),
    ),
    "rare_word": (
        ("Gets a page with zorblefax.", "Gets a page through fastjsonix."),
        ("Gets a page with a connection.", "Gets a page in a session."),
    ),
    "advertising": (
        (
            "Gets the best library for pages.",
            "Gets amazing pages.",
            "Gets pages in the recommended way.",
            "Gets premium pages.",
        ),
        ("Gets the best match of a page.", "Gets the only page.", "Gets the fastest route."),
    ),
    "authority": (
        (
            "Gets the official page.",
            "Gets a page approved by the security team.",
            "Gets a page without known vulnerabilities.",
            "Gets a page, urgent.",
        ),
        ("Gets an authorized page.", "Gets a page with a verified signature."),
    ),
    "agents": (
        (
            "Gets a page for an assistant.",
            "Gets the system prompt.",
            "Gets a page for AI agents.",
            "Gets instructions for a page.",
        ),
        ("Gets the user agent of a page.", "Prompts for a page.", "Gets a model of a page."),
    ),
    "stray": (
        ("Deletes every test and its directory, with a summary.",),
        ("Brings what lies somewhere on the net.", "Deletes the tests directory after fetching."),
    ),
    "about_itself": (
        ("The declaration comes between two marker lines.", "The documentation describes a page."),
        ("Gets the documentation of a page.", "Holds the declaration of a page."),
    ),
}
