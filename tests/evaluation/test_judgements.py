import pytest

from aethel_core.errors import InvalidInput, MissingData
from aethel_core.evaluation.base import Gold, Question
from aethel_core.evaluation.judgements import holding, judge
from tests.evaluation.fakes import FakeCorpus, passage

CORPUS = FakeCorpus(
    {"aaaa": "LP letter.pdf", "bbbb": "10K.PDF"},
    {
        "aaaa": [
            (1, "Dear partners, the fund closed."),
            (2, "NAV was $12.0 million."),
            (2, "The credit line is drawn."),
        ],
        "bbbb": [(4, "Total revenue was 1,204.3 in 2021 and the unfunded commitments are listed below.")],
    },
)


def ask(*gold: Gold) -> tuple[Question, ...]:
    return (Question("q1", "What is the NAV?", gold),)


def test_page_level():
    judgements = judge(ask(Gold("LP letter.pdf", 2), Gold("10k", 4, grade=2)), CORPUS, "page")
    assert judgements.qrels == {"q1": {"LP letter.pdf#2": 1, "10K.PDF#4": 2}}
    assert judgements.item_of("aaaa:00002") == "LP letter.pdf#2"
    assert judgements.item_of("bbbb:00000") == "10K.PDF#4"


def test_places_are_asked_once_per_document():
    corpus = FakeCorpus(CORPUS.names, CORPUS.texts)
    judgements = judge(ask(Gold("LP letter.pdf", 2)), corpus, "page")
    for ordinal in (0, 1, 2, 0):
        judgements.item_of(f"aaaa:0000{ordinal}")
    assert corpus.asked == [("aaaa", None)]


def test_document_level_needs_no_page():
    judgements = judge(ask(Gold("lp letter")), CORPUS, "document")
    assert judgements.qrels == {"q1": {"LP letter.pdf": 1}}
    assert judgements.item_of("aaaa:00001") == "LP letter.pdf"


def test_passage_level_by_quote_and_without():
    assert judge(ask(Gold("LP letter.pdf", 2, "nav WAS $12.0 million")), CORPUS, "passage").qrels == {
        "q1": {"aaaa:00001": 1}
    }
    assert judge(ask(Gold("LP letter.pdf", 2)), CORPUS, "passage").qrels == {
        "q1": {"aaaa:00001": 1, "aaaa:00002": 1}
    }


def test_the_higher_grade_of_two_places_counts():
    gold = (Gold("LP letter.pdf", 2, "", 1), Gold("LP letter.pdf", 2, "credit line", 2))
    assert judge(ask(*gold), CORPUS, "passage").qrels == {"q1": {"aaaa:00001": 1, "aaaa:00002": 2}}


TEXTS = (
    "Total revenue was 1,204.3 in 2021.",
    "Nothing of the kind stands on this page.",
    "the quarter saw revenue was 1,204.3 in and other unrelated words of length",
)


@pytest.mark.parametrize(
    ("quote", "held_by"),
    [
        ("total REVENUE was 1204.3", [0]),  # the third has 3 of 4 words, but the first has it all
        ("revenue was 1,204.3 in", [0, 2]),
        ("revenue was 1,204.3 for years", [0, 2]),  # 3 of 5 words each
        ("total revenue was 1,204.3 in 2021 and cost of sales was 900 in 2020", [0]),  # all its words
        ("operating income was 17 in 2020", []),
        ("", [0, 1, 2]),
    ],
)
def test_holding_a_quote(quote, held_by):
    passages = [passage("d", i, 1, text) for i, text in enumerate(TEXTS)]
    assert [int(p.id[-1]) for p in holding(passages, quote)] == held_by


@pytest.mark.parametrize(
    ("gold", "level", "message"),
    [
        (Gold("Other.pdf", 1), "page", r"1 of 1 gold documents are not in the workspace: Other\.pdf"),
        (Gold("LP letter.pdf"), "page", "No gold page is given for q1"),
        (Gold("LP letter.pdf", 99), "page", r"q1 \(LP letter.pdf, page 99\)"),
        (Gold("LP letter.pdf", 2, "quarterly dividend of Nike"), "passage", "correct the page or the quote"),
    ],
)
def test_gold_that_is_not_there_is_listed(gold, level, message):
    with pytest.raises(MissingData, match=message):
        judge(ask(gold), CORPUS, level)


def test_level_and_questions_are_checked():
    with pytest.raises(InvalidInput, match="no level"):
        judge(ask(Gold("LP letter.pdf", 1)), CORPUS, "chapter")
    with pytest.raises(MissingData, match="no questions"):
        judge((), CORPUS, "page")


def test_a_page_without_passages_is_still_a_page():
    assert judge(ask(Gold("LP letter.pdf", 7)), CORPUS, "page").qrels == {"q1": {"LP letter.pdf#7": 1}}
