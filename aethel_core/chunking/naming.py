"""The section each passage is in, as a name that reads the same in every filing.

Where a document has 10-K or 10-Q Items, sections are its Items and the notes to its financial
statements: "Item 7 · Management's Discussion and Analysis", "Item 8 · Note 5 Debt". Elsewhere a
section is named by the heading over it.
"""

from __future__ import annotations

import re

from aethel_core.types import Block, ParsedDocument

_LONGEST = 90
_ITEM = re.compile(
    r"\bitem\s+(?P<number>\d{1,2}(?:\.\d\d)?[a-c]?)\b[\s.:—–-]*(?P<title>.*)", re.IGNORECASE | re.DOTALL
)
_PART = re.compile(r"^part\s+(?P<number>[iv]{1,3})\b", re.IGNORECASE)
_NOTE = re.compile(
    r"^(?P<word>note\s+)?(?P<number>\d{1,2})[a-z]?\b[\s.:)—–-]*(?P<title>.*)", re.IGNORECASE | re.DOTALL
)
_EXHIBIT = re.compile(r"^exhibit\s+\(?(?P<number>\d{1,3}(?:\.\d+)?[a-z]?)", re.IGNORECASE)
_SIGNATURES = re.compile(r"^signatures?$", re.IGNORECASE)
_STATEMENTS = re.compile(
    r"\bconsolidated\s+(?:balance\s+sheets?|statements?\s+of)\b|\breport\s+of\s+independent\s+registered\b"
    r"|\bnotes\s+to\s+(?:the\s+)?(?:consolidated\s+)?financial\s+statements\b",
    re.IGNORECASE,
)
_SMALL_WORDS = re.compile(r"(?<=\s)(?:And|Of|The|In|For|To|On|With|By|A|An|At|From|Or|About)\b")
_ROMAN = re.compile(r"[IVX]+")
_FINANCIAL = "Item 8 · Financial Statements and Supplementary Data"
_BOUND_AT_END = ("15", "16")  # Items after which many filings bind the statements of Item 8
_MISSED_NOTES = 3  # note headings in a row that may have gone unrecognised
_USUAL_TITLES = (
    (r"management.?s discussion and analysis", "Management's Discussion and Analysis"),
    (r"market for .*common (?:equity|stock)", "Market for Registrant's Common Equity"),
    (
        r"quantitative and qualitative disclosures?",
        "Quantitative and Qualitative Disclosures About Market Risk",
    ),
    (r"changes in and disagreements with", "Changes in and Disagreements with Accountants"),
    (r"directors,? executive officers", "Directors, Executive Officers and Corporate Governance"),
    (r"security ownership of", "Security Ownership of Beneficial Owners and Management"),
    (r"certain relationships and related", "Certain Relationships and Related Transactions"),
    (r"unregistered sales of", "Unregistered Sales of Equity Securities"),
    (r"disclosures? regarding foreign", "Disclosure Regarding Foreign Jurisdictions"),
    (
        r"(?:consolidated )?financial statements and supplementa",
        "Financial Statements and Supplementary Data",
    ),
)


class Sections:
    """Follows the headings of a document and knows the section it is in."""

    def __init__(self, document: ParsedDocument) -> None:
        headings = (b for page in document.pages for b in page.blocks if b.kind == "heading" and b.level == 1)
        self._filing = any(_ITEM.search(heading.text) for heading in headings)
        self._item = ""  # number of the Item
        self._title = ""  # name of the Item, part, exhibit or heading
        self._note = ""
        self._last_note = 0

    @property
    def current(self) -> str:
        if not self._note:
            return self._title
        return f"{self._title.split(' · ')[0]} · {self._note}" if self._title else self._note

    def enter(self, heading: Block) -> None:
        """Take note of a heading."""
        text = _without_continued(" ".join(heading.text.split()).replace("’", "'"))
        if self._filing:
            self._enter_filing(heading.level, text)
        else:
            self._enter_plain(heading.level, text)

    def _enter_plain(self, level: int, text: str) -> None:
        note = _NOTE.match(text) if level == 2 else None
        if note and note["word"]:
            self._title, self._note = "", _note_name(note)
        else:
            self._title, self._note = _short(text), ""

    def _enter_filing(self, level: int, text: str) -> None:
        item, part, exhibit = _ITEM.search(text), _PART.match(text), _EXHIBIT.match(text)
        if level == 1 and item:
            self._begin(_item_name(item), item["number"].upper())
        elif level == 1 and part:
            self._begin(f"Part {part['number'].upper()}")
        elif level == 1 and exhibit:
            self._begin(f"Exhibit {exhibit['number']}")
        elif _SIGNATURES.match(text):
            self._begin("Signatures", self._item)
        elif self._item in _BOUND_AT_END and _STATEMENTS.search(text):
            self._begin(_FINANCIAL, "8")
        elif level == 2:
            self._enter_note(text)

    def _begin(self, title: str, item: str = "") -> None:
        self._title, self._item, self._note = title, item, ""
        self._last_note = 0

    def _enter_note(self, text: str) -> None:
        """A note counts when its number follows that of the note before it."""
        note = _NOTE.match(text)
        if note is None or not self._title.startswith("Item"):
            return
        number = int(note["number"])
        follows = self._last_note < number <= self._last_note + _MISSED_NOTES
        restarts = number == 1 and note["word"] is not None
        if not follows and not restarts:
            return
        if self._item in _BOUND_AT_END:
            if note["word"] is None:
                return
            self._begin(_FINANCIAL, "8")
        self._note, self._last_note = _note_name(note), number


def _without_continued(text: str) -> str:
    bare = text.rstrip(" .)")
    return bare[: -len("continued")].rstrip(" -–—(") if bare.lower().endswith("continued") else text


def _item_name(match: re.Match[str]) -> str:
    title = _ITEM.split(match["title"])[0].strip(" .:—–-[]()")
    usual = next((name for pattern, name in _USUAL_TITLES if re.match(pattern, title, re.IGNORECASE)), None)
    title = usual or _short(title)
    return f"Item {match['number'].upper()}" + (f" · {title}" if title else "")


def _note_name(match: re.Match[str]) -> str:
    title = _short(match["title"])
    return f"Note {match['number']}" + (f" {title}" if title else "")


def _short(text: str) -> str:
    """A heading of readable length, in title case where it is all capitals."""
    text = " ".join(text.split()).strip(" .:—–-")
    if text.isupper():
        text = _SMALL_WORDS.sub(lambda m: m.group().lower(), re.sub(r"[^\W\d_][\w'&]*", _capitalised, text))
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1].rsplit(" ", 1)[0].rstrip(" ,;:") + "…"


def _capitalised(match: re.Match[str]) -> str:
    word = match.group()
    acronym = "&" in word or not re.search(r"[AEIOUY]", word) or _ROMAN.fullmatch(word)
    return word if acronym else word[0] + word[1:].lower()
