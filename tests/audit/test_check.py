"""One sentence against its passages: what stands, and each way in which it does not."""

from __future__ import annotations

import pytest

from aethel_core.audit import Derivation, Match, Sources, Verdict, check_sentence
from aethel_core.finance.line_items import amount_item
from tests.deal import AGAIN, DOCUMENTS, Q3, Q4, TENK, grid, sources

SOURCES = sources()
NET_ASSETS, CALL = f"{Q4}:00001", f"{Q4}:00000"
INCOME, ASSETS, CUSTOMER = f"{TENK}:00000", f"{TENK}:00001", f"{TENK}:00002"


@pytest.mark.parametrize(
    ("text", "passage"),
    [
        ("Net asset value was $420.0 million at December 31, 2022.", NET_ASSETS),
        (
            "Net asset value was $420 million in Q4 2022, against $412.2 million at September 30, 2022.",
            NET_ASSETS,
        ),
        ("Unfunded commitments fell from $122.5 million to $110.0 million.", NET_ASSETS),
        ("Unfunded commitments fell from $122.5 million to $110.0 million in Q4 2022.", NET_ASSETS),
        ("The net return for the quarter was -1.5% at December 31, 2022.", NET_ASSETS),
        ("Halden reported net sales of $1.2 billion in fiscal 2022.", INCOME),
        ("Halden's revenue was $1,204.3 million in 2022 and $1,100.0 million in 2021.", INCOME),
        ("Halden made a net loss of $36.0 million in 2022.", INCOME),
        ("Net sales of Halden grew 9.5% from $1,100.0 million in 2021 to $1,204.3 million in 2022.", INCOME),
        ("Halden's operating margin was 10.0% in 2022.", INCOME),
        ("Grainfield brought 14% of net sales in 2022.", CUSTOMER),
        ("Margins fell by 12.5 percentage points.", CUSTOMER),
        ("Capital Call No. 7 amounted to $12.5 million, 2.5% of commitments.", CALL),
    ],
)
def test_true_sentences_are_supported(text: str, passage: str) -> None:
    check = check_sentence(text, [passage], SOURCES)
    assert not check.flagged, check.flags
    assert check.verdict is Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("text", "passage", "match"),
    [
        ("Net asset value was $426.0 million at December 31, 2022.", NET_ASSETS, Match.MISSING),
        ("Net asset value was $420.0 billion at December 31, 2022.", NET_ASSETS, Match.SCALE),
        ("Net asset value was $420,000 at December 31, 2022.", NET_ASSETS, Match.SCALE),
        ("Net asset value was $420.0 million at September 30, 2022.", NET_ASSETS, Match.PERIOD),
        ("Halden's net sales were $1,204.3 million in 2021.", INCOME, Match.PERIOD),
        ("Halden's net income was $36.0 million in 2022.", INCOME, Match.SIGN),
        ("Halden's net sales were -$1,204.3 million in 2022.", INCOME, Match.SIGN),
        ("Halden's total assets were $1,204.3 million in 2022.", INCOME, Match.LABEL),
        (
            "Halden's net sales were $1,204.31 million in 2022.",
            INCOME,
            Match.MISSING,
        ),  # finer than the source
        (
            "Net sales of Halden grew 9.9% from $1,100.0 million in 2021 to $1,204.3 million in 2022.",
            INCOME,
            Match.MISSING,
        ),
        ("Halden's operating margin was 11.0% in 2022.", INCOME, Match.MISSING),
    ],
)
def test_wrong_figures_are_flagged(text: str, passage: str, match: Match) -> None:
    check = check_sentence(text, [passage], SOURCES)
    assert check.flagged
    assert match in [figure.match for figure in check.figures]


@pytest.mark.parametrize(
    ("text", "passage", "flag"),
    [
        ("Alder Ridge Partners II had total assets of $2,000.0 million in 2022.", ASSETS, "not about"),
        ("Boeing reported net sales of $1,204.3 million in 2022.", INCOME, "Boeing"),
        ("Capital Call No. 8 amounted to $12.5 million.", CALL, "“8”"),
        ("Halden Freight fell 5.9% in the quarter.", f"{Q3}:00000", "rose"),
        ("Unfunded commitments rose from $122.5 million to $110.0 million.", NET_ASSETS, "less than"),
        ("A Key Person Event occurred on January 17, 2023.", f"{Q4}:00002", "January 17"),
        ("The board approved a new dividend policy for holders of preferred stock.", INCOME, "words"),
    ],
)
def test_wrong_words_are_flagged(text: str, passage: str, flag: str) -> None:
    assert flag in " ".join(check_sentence(text, [passage], SOURCES).flags)


def test_what_is_not_cited_or_not_there() -> None:
    assert check_sentence("Net sales rose.", [], SOURCES).verdict is Verdict.NOT
    check = check_sentence("Net asset value was $420.0 million.", ["e" * 16 + ":00000"], SOURCES)
    assert check.flagged and "no passage" in check.flags[0]


def test_a_replaced_version_is_flagged_unless_both_are_compared() -> None:
    text = "Net asset value was $412.6 million at September 30, 2022."
    old, new = f"{Q3}:00001", f"{AGAIN}:00000"
    assert "replaced by q3-again.pdf" in " ".join(check_sentence(text, [old], SOURCES).flags)
    assert not check_sentence(text, [old, new], SOURCES).flagged


def test_a_derivation_is_recomputed_from_cited_cells() -> None:
    text = "Total value to paid-in was 1.30x at December 31, 2022."
    parts = (
        ("distributions", NET_ASSETS, 100e6),
        ("nav", NET_ASSETS, 420e6),
        ("contributions", NET_ASSETS, 400e6),
    )
    assert not check_sentence(text, [NET_ASSETS], SOURCES, [Derivation("tvpi", parts)]).flagged
    wrong = (*parts[:2], ("contributions", NET_ASSETS, 401e6))  # no cell says so
    assert check_sentence(
        text.replace("1.30", "1.29"), [NET_ASSETS], SOURCES, [Derivation("tvpi", wrong)]
    ).flagged


@pytest.mark.parametrize(
    ("text", "sound"),
    [
        ("Net debt was $698.0 million in 2022.", True),
        ("Debt net of cash was $698.0 million in 2022.", True),
        ("Total debt was $784.9 million in 2022.", True),
        ("Net debt was $698.0 million in 2022, total debt $784.9 million.", True),
        ("Total debt was $698.0 million in 2022.", False),
        ("Net debt was $784.9 million in 2022.", False),
    ],
)
def test_net_debt_is_not_debt(text: str, sound: bool) -> None:
    rows = [("Total debt", ["784.9"]), ("Net debt", ["698.0"])]
    assert [amount_item(row) for row, _ in rows] == ["total_debt", None]
    table = grid(TENK, 0, 1, [("2022", "FY2022")], rows, unit="in millions", scale=1e6, title="Debt")
    known = Sources(DOCUMENTS, lambda document: (table,) if document == TENK else ())
    assert check_sentence(text, [f"{TENK}:00000"], known).flagged is not sound
