"""Every error depcodex raises on purpose, in one tree.

Here: the exception classes and nothing else. Not here: Dagster's ``Failure`` and ``RetryRequested`` (translated by
depcodex_pipelines.failures), nor abstentions, which are answers (depcodex.query).

    DepcodexError
    ├── TransientError                    a later try may succeed
    │   ├── FetchError                    an ecosystem's client could not bring an archive
    │   ├── ModelUnavailableError         the model server does not answer
    │   ├── StoreBusyError                another writer holds the store
    │   └── StoreFullError                the disk is full
    └── PermanentError                    the same input fails again
        ├── UsageError                    an argument or a setting is wrong
        │   └── SettingsError
        ├── CoordinateError               not a package URL we can use
        ├── ClosureError                  no closure, or one that cannot be read
        │   ├── NoClosureError
        │   └── AmbiguousClosureError     several lock files that disagree
        ├── LockfileError                 a lock file that cannot be read (one subclass a format)
        ├── ArchiveError                  an archive that is refused
        │   ├── ArchiveLimitError         too large, too many, too deep, too dense
        │   ├── ArchiveMemberError        a member that would leave its folder
        │   └── CorruptArchiveError
        ├── DigestMismatchError           the bytes are not those the lock names
        ├── SourceNotFoundError           the registry has no such version
        ├── ModelError                    the model is missing, or not of the kind asked for
        ├── RemoteModelRefusedError       a model address off this machine
        ├── EmbedderMismatchError         the store was built with another embedder
        ├── StoreError                    the store is missing, damaged or of another version
        │   └── NoIndexError              nothing has been indexed yet
        └── BudgetExceededError           more model calls than allowed

A message reads ``where: what, expected, got``; the facts are attributes as well.
"""

from __future__ import annotations


class DepcodexError(Exception):
    """The root of every error that depcodex raises on purpose.

    ``str(error)`` is one line without library-written prose; it is fit for a terminal and for a log.
    """

    exit_status: int = 3


class TransientError(DepcodexError):
    """A later try of the same thing may succeed."""


class PermanentError(DepcodexError):
    """The same input fails again; something has to change first."""


class FetchError(TransientError):
    """An ecosystem's own client could not bring an archive (network, credentials, mirror)."""


class ModelUnavailableError(TransientError):
    """The model server does not answer. Start it, or configure another rewriter or embedder."""


class StoreBusyError(TransientError):
    """Another writer holds the store. Wait for it, or find out what it is."""


class StoreFullError(TransientError):
    """The disk is full. What was indexed before stays; free some space and run the command again."""


class UsageError(PermanentError):
    """An argument or a combination of arguments is wrong."""

    exit_status = 2


class SettingsError(UsageError):
    """A setting has a value that cannot be used."""


class CoordinateError(PermanentError):
    """A text is not a package URL that depcodex can use."""

    exit_status = 2

    def __init__(self, text: str, problem: str) -> None:
        self.text = text
        self.problem = problem
        super().__init__(f"{text!r}: {problem}")


class ClosureError(PermanentError):
    """A closure is missing or cannot be read."""

    exit_status = 2


class NoClosureError(ClosureError):
    """The project was never recorded, or the folder has nothing that resolves to a closure."""


class AmbiguousClosureError(ClosureError):
    """Several lock files disagree. Name one (``--format``), or remove the stale one."""


class LockfileError(PermanentError):
    """A lock file cannot be read. ``path`` is the file, ``problem`` says what is wrong."""

    exit_status = 2
    format_name: str = "lockfile"

    def __init__(self, path: object, problem: str) -> None:
        self.path = str(path)
        self.problem = problem
        super().__init__(f"{path}: {problem}")


class ArchiveError(PermanentError):
    """An archive is refused. ``archive`` is its file name, ``rule`` the limit or check that refused it."""

    def __init__(self, archive: str, rule: str, problem: str) -> None:
        self.archive = archive
        self.rule = rule
        self.problem = problem
        super().__init__(f"{archive}: {rule}: {problem}")


class ArchiveLimitError(ArchiveError):
    """The archive is over a limit of size, count, depth or compression ratio."""


class ArchiveMemberError(ArchiveError):
    """The archive has a member that would be written outside its folder, or is a link or device."""


class CorruptArchiveError(ArchiveError):
    """The archive cannot be read to its end."""


class DigestMismatchError(PermanentError):
    """The bytes are not those that the lock file or the record names."""

    def __init__(self, where: str, expected: str, got: str) -> None:
        self.where = where
        self.expected = expected
        self.got = got
        super().__init__(f"{where}: digest differs, expected {expected}, got {got}")


class SourceNotFoundError(PermanentError):
    """The registry has no such library or version."""


class ModelError(PermanentError):
    """A model is missing, or is not of the kind asked for. The message says how to get it."""


class RemoteModelRefusedError(PermanentError):
    """A model address is not loopback and ``allow_remote_models`` is not set."""

    exit_status = 2


class EmbedderMismatchError(PermanentError):
    """The store was built with another embedder. ``depcodex store reembed`` swaps whole faces."""


class StoreError(PermanentError):
    """The store is missing, damaged, or of a version that this depcodex cannot read."""


class NoIndexError(StoreError):
    """Nothing has been indexed yet on this machine. ``depcodex index`` fills the store."""

    exit_status = 1


class BudgetExceededError(PermanentError):
    """More model calls would be needed than the budget allows. Nothing was rewritten."""

    exit_status = 2

    def __init__(self, needed: int, budget: int) -> None:
        self.needed_count = needed
        self.budget_count = budget
        super().__init__(f"model calls: {needed} needed, budget allows {budget}")
