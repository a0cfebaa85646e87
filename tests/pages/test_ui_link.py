"""A link gives back the view it was made from, and survives nonsense."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as some

from aethel_core.types import DocumentType, Filters, PassageKind
from pages._ui import link
from pages._ui.link import View

_text = some.text(some.characters(codec="utf-8"), min_size=1, max_size=12)
_views = some.builds(
    View,
    workspace=_text.map(str.strip),
    question=_text.map(str.strip),
    filters=some.builds(
        Filters,
        companies=some.lists(_text, max_size=3, unique=True).map(tuple),
        years=some.lists(some.integers(1900, 2100), max_size=3, unique=True).map(tuple),
        types=some.lists(some.sampled_from(DocumentType), max_size=3, unique=True).map(tuple),
        sections=some.lists(_text, max_size=3, unique=True).map(tuple),
        kinds=some.lists(some.sampled_from(PassageKind), max_size=2, unique=True).map(tuple),
        documents=some.lists(_text, max_size=2, unique=True).map(tuple),
    ),
    retrievers=some.lists(some.sampled_from(["bm25", "dense", "ppr-ner"]), max_size=3, unique=True).map(
        tuple
    ),
    k=some.sampled_from((0, *link.K_CHOICES)),
    page=some.integers(0, 3000),
)


@given(_views)
def test_round_trip(view: View) -> None:
    assert link.from_parameters(link.to_parameters(view)) == view


def test_an_empty_view_is_an_empty_query_string() -> None:
    assert link.to_parameters(View()) == {}


def test_what_cannot_be_understood_is_left_out() -> None:
    view = link.from_parameters(
        {
            "k": ["-3"],
            "year": ["20x2", "2021"],
            "type": ["novel"],
            "kind": ["table"],
            "p": ["9e9"],
            "zz": ["1"],
        }
    )
    assert view == View(filters=Filters(years=(2021,), kinds=(PassageKind.TABLE,)))
