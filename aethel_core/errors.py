"""Everything a person can cause to go wrong, as one tree.

    AethelError
    ├── InvalidInput            an argument that cannot be used
    │   ├── EmptyQuery
    │   ├── UnknownRetriever
    │   ├── UnknownDocument
    │   └── UnknownPassage
    ├── UnreadableDocument      a file that cannot become a document
    │   ├── NotAPdf
    │   ├── EmptyFile
    │   ├── DamagedPdf
    │   ├── NoPages
    │   ├── TooLarge
    │   └── PasswordRequired    (also a wrong password)
    ├── DuplicateDocument       the same content is already in the workspace
    ├── Cancelled               the person stopped it
    ├── WorkspaceError          the workspace cannot be opened, created or written
    ├── ModelUnavailable        a model or endpoint cannot be reached or loaded
    └── MissingData             a benchmark's or question file that is not there or malformed

Each message is one sentence or two: what is wrong, and what to do.
"""

from __future__ import annotations


class AethelError(Exception):
    """Base of all errors that are meant to be read by a person."""


class InvalidInput(AethelError):
    pass


class EmptyQuery(InvalidInput):
    def __init__(self) -> None:
        super().__init__("The question is empty. Type at least one word.")


class UnknownRetriever(InvalidInput):
    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(f"There is no retriever called {name!r}. Choose one of: {', '.join(known)}.")


class UnknownDocument(InvalidInput):
    def __init__(self, document: str) -> None:
        super().__init__(
            f"There is no document {document!r} in this workspace. List them to see their names."
        )


class UnknownPassage(InvalidInput):
    def __init__(self, passage: str) -> None:
        super().__init__(
            f"There is no passage {passage!r} in this workspace; its document may have been deleted."
        )


class UnreadableDocument(AethelError):
    pass


class NotAPdf(UnreadableDocument):
    pass


class EmptyFile(UnreadableDocument):
    pass


class DamagedPdf(UnreadableDocument):
    pass


class NoPages(UnreadableDocument):
    pass


class TooLarge(UnreadableDocument):
    pass


class PasswordRequired(UnreadableDocument):
    pass


class DuplicateDocument(AethelError):
    """``existing`` is the id of the document already stored."""

    def __init__(self, message: str, existing: str) -> None:
        super().__init__(message)
        self.existing = existing


class Cancelled(AethelError):
    def __init__(self, message: str = "Stopped on request; everything finished before that is kept.") -> None:
        super().__init__(message)


class WorkspaceError(AethelError):
    pass


class ModelUnavailable(AethelError):
    pass


class MissingData(AethelError):
    pass
