"""How a company's name is shown, and its other names that the document gives."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from importlib import resources

_SUFFIX = re.compile(
    r"(?:,?\s+|\s*&\s*)(?:inc|incorporated|corp|corporation|co|company|companies|ltd|limited|llc|l\.l\.c|lp|l\.p|llp"
    r"|plc|n\.v|nv|s\.a|sa|ag|se|scsp|sicav|gmbh|holdings? (?:inc|corp))\.?$",
    re.IGNORECASE,
)
_DOT_COM = re.compile(r"\.com$", re.IGNORECASE)
_LOWER = frozenset(("of", "and", "the", "for", "in", "on", "at", "de", "la", "plc"))
_UPPER = re.compile(r"(?:[IVX]+|LLC|LP|L\.P\.|L\.L\.C\.|N\.V\.|S\.A\.|USA|U\.S\.|AG|SE|NV|SA|N\.A\.)[,.]?")
_VOWELS = re.compile(r"[AEIOUY]")
# Words that say what a company does and that people leave out when the rest says who it is.
_DESCRIPTION = re.compile(
    r"systems|holdings?|group|international|technolog(?:ies|y)|communications|stores|wholesale|works|resorts|brands"
    r"|industries|enterprises|health|healthcare|energy|services|platforms|solutions|financial|bancorp"
    r"|pharmaceuticals|motors|foods|beauty|worldwide|global|laboratories|entertainment|therapeutics|software"
    r"|networks|airlines|materials|products|properties|trust|capital|partners|semiconductor|retail",
    re.IGNORECASE,
)
_CORPORATE = re.compile(r"international|holdings?|group|worldwide|global|enterprises", re.IGNORECASE)
_COMMON = re.compile(
    r"american|general|national|united|first|international|global|best|new|advanced|capital|public|standard"
    r"|western|eastern|northern|southern|central|pacific|atlantic|universal|consolidated|digital|royal|federal"
    r"|applied|the|great|north|south|west|east",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[“\"‘]([^“”\"‘’]{2,50}?)[,.]?[”\"’]")
_GENERIC = re.compile(
    r"(?:the\s+)?(?:company|companies|corporation|registrant|partnership|fund|issuer|borrower|parent|we|us|our|firm"
    r"|group|trust|bank|general partner|limited partners?|manager|adviser|sponsor)",
    re.IGNORECASE,
)
_FORMER = re.compile(
    r"(?:formerly|previously)\s+(?:known\s+as|named|called)?\s*[“\"]?(?P<name>[A-Z][\w&.,'’ -]{2,60}?)"
    r"[”\"]?(?=\s*[),;:]|\s+(?:until|prior|and\s+its|changed|\()|\.\s)"
)
_TRADING_AS = re.compile(
    r"(?:doing\s+business\s+as|d/b/a|\bdba\b)\s*[“\"]?(?P<name>[A-Z][\w&.' -]{2,40}?)[”\"]?(?=[),;.]|\s+\()"
)
_NEAR = 160
_SEEN_ALONE = 3
_LETTERS = 3


def display_name(name: str, text: str) -> str:
    """The name in natural case: as the text writes it most often when the cover prints capitals.

    :param text: the first pages; spaces inside words of the cover ("R ESORTS") do not matter.
    """
    name = " ".join(name.split()).strip(" _-–—*")
    if any(c.islower() for c in name):
        return name
    solid = "".join(name.split())
    pattern = r"(?<![A-Za-z])" + r"\s*".join(re.escape(c) for c in solid.rstrip(".")) + r"(?![A-Za-z])\.?"
    written = Counter(" ".join(m.group().split()) for m in re.finditer(pattern, text, re.IGNORECASE))
    natural = [(n, w) for w, n in written.items() if any(c.islower() for c in w)]
    if not natural:
        return " ".join(_natural(word, i) for i, word in enumerate(name.split()))
    best = max(natural)[1]
    return best if best.endswith(".") or not name.endswith(".") else best + "."


def _natural(word: str, position: int) -> str:
    plain = word.strip(",.()")
    if word.lower() in _LOWER and position:
        return word.lower()
    if (
        _UPPER.fullmatch(word)
        or any(c.isdigit() for c in plain)
        or (len(plain) <= 4 and not _VOWELS.search(plain))
    ):
        return word
    return re.sub(r"[A-Za-z]+", lambda m: m.group() if len(m.group()) == 1 else m.group().capitalize(), word)


def short_name(name: str) -> str:
    """Without legal suffixes, and without "The" where that stood before one."""
    short = name.strip()
    while True:
        stripped = _SUFFIX.sub("", short).rstrip(" ,&")
        if stripped == short or len(stripped) < 2 or stripped.lower() == "the":
            break
        short = stripped
    if short != name and short.lower().startswith("the "):
        short = short[4:]
    return short


def aliases(name: str, ticker: str, text: str) -> tuple[str, ...]:
    """Other names of the company: its short forms, those the text defines or calls former, its
    names before or after a renaming, and its trading symbol.

    :param text: the first pages, white space collapsed.
    """
    if not name:
        return ()
    short = short_name(name)
    found = [short, _DOT_COM.sub("", short), *_initials(short)]
    found += _shortened(short, text)
    found += _defined(name, short, ticker, text)
    found += _former(short, text)
    found += renamed(short)
    found.append(ticker)
    return tuple(dict.fromkeys(a for a in (" ".join(f.split()) for f in found) if len(a) > 1 and a != name))


def _initials(short: str) -> list[str]:
    match = re.fullmatch(r"(\w)\w+ & (\w)\w+", short)
    return [f"{match[1]}&{match[2]}", f"{match[1]}n{match[2]}"] if match else []


def _shortened(short: str, text: str) -> list[str]:
    """The name without describing words at its end: if the text uses it so or, where two words
    are left and only "Group" or the like went, in any case."""
    words, found = short.split(), []
    while len(words) > 1 and _DESCRIPTION.fullmatch(words[-1].strip(",.")):
        dropped = words.pop()
        if words[-1] in ("&", "and", "of") or all(_COMMON.fullmatch(word) for word in words):
            break
        rest = " ".join(words)
        alone = rf"\b{re.escape(rest)}\b(?!['’.]?\w)(?!\s+{re.escape(dropped)})(?!\s+&)"
        if (len(words) > 1 and _CORPORATE.fullmatch(dropped)) or len(re.findall(alone, text)) >= _SEEN_ALONE:
            found.append(rest)
    return found


def _defined(name: str, short: str, ticker: str, text: str) -> list[str]:
    """Quoted terms near the name that share a word with it or are made of its initials, and
    initials of three letters or more that the text uses by themselves."""
    own = {_plain(word) for word in short.split() if not _COMMON.fullmatch(word)}
    initials, legal = _first_letters(short), _first_letters(name)
    used = re.findall(rf"\b{initials}\b", text) if len(initials) >= _LETTERS else []
    found = [initials] if len(used) >= _SEEN_ALONE else []
    for place in re.finditer(re.escape(short), text):
        for quoted in _QUOTED.findall(text[place.end() : place.end() + _NEAR]):
            term = re.sub(r"^[Tt]he ", "", quoted.strip())
            if _GENERIC.fullmatch(term) or not term[:1].isalnum() or len(term) > len(name) + 4:
                continue
            made_of_initials = term.isupper() and term.replace(".", "") in (initials, legal, ticker)
            if made_of_initials or {_plain(word) for word in term.split()} <= own:
                found.append(term)
    return found


def _plain(word: str) -> str:
    return word.lower().strip(".,'’")


def _first_letters(name: str) -> str:
    return "".join(word[0] for word in name.replace("&", " ").split() if word[0].isalnum()).upper()


def _former(short: str, text: str) -> list[str]:
    """Former and trading names given beside the name."""
    beside = re.compile(re.escape(short) + r"[\w.,& ]{0,25}[(,]?\s*$")
    found = []
    for pattern in (_FORMER, _TRADING_AS):
        for match in pattern.finditer(text):
            if beside.search(text[max(0, match.start() - _NEAR) : match.start()]):
                found += [match["name"].strip(" ,"), short_name(match["name"].strip(" ,"))]
    return found


def renamed(short: str) -> list[str]:
    """What a listed company was called before, or is called since, by public record."""
    key = short.lower()
    for now, before in _renamings():
        if key in (now.lower(), *(b.lower() for b in before)):
            return [n for n in (now, *before) if n.lower() != key]
    return []


@cache
def _renamings() -> tuple[tuple[str, tuple[str, ...]], ...]:
    data = json.loads(resources.files(__package__).joinpath("renamings.json").read_text(encoding="utf-8"))
    return tuple((now, tuple(before)) for now, before in data["renamings"])


def most_frequent(names: Iterable[str]) -> str:
    counted = Counter(names)
    return max(counted, key=lambda n: (counted[n], -len(n)), default="") if counted else ""
