"""One base for every error that a user may see: what is wrong, where, and how to mend it."""

from __future__ import annotations


class RecallError(Exception):
    """An error with an exit code, told to the user as one clear line.

    `message` says what is wrong, `mend` (may be empty) what to do about it.
    """

    exit_code = 3

    def __init__(self, message: str, mend: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.mend = mend

    def __str__(self) -> str:
        return f"{self.message}\n  {self.mend}" if self.mend else self.message


class UsageError(RecallError):
    """The command line, a setting or a query is not in a form that recall reads."""

    exit_code = 2


class DataError(RecallError):
    """A file or database holds something that cannot be read or written."""


class StoreError(DataError):
    """The database cannot be opened, read or written."""


class StoreBusyError(StoreError):
    """Another program holds the database; nothing was written, and trying again is safe."""


class NewerStoreError(StoreError):
    """The database was made by a later version of recall; it is neither read nor written."""
