"""The lab over a corpus of three one-page documents and real retrievers."""

import pytest

from aethel_core.config import Settings
from aethel_core.errors import MissingData
from aethel_core.evaluation.base import Paragraph
from aethel_core.evaluation.lab import Lab
from aethel_core.evaluation.pools import paragraph_id, paragraph_index
from aethel_core.search import Search
from aethel_core.types import Query, document_id
from tests.evaluation.fakes import document, passage
from tests.evaluation.test_labels import Label
from tests.evaluation.test_pools import Capitals, Hashing

TEXTS = (
    Paragraph("Letter", "The unfunded commitment is 12 million."),
    Paragraph("Report", "Leverage stood at 4.1 times."),
    Paragraph("Notes", "Nothing of note happened in the quarter."),
)
LETTER, REPORT, NOTES = map(paragraph_id, TEXTS)
ASKED = "What is the unfunded commitment?"
LEVERAGE = "What is the leverage?"


class Corpus:
    settings = Settings()

    def __init__(self, path):
        self.path = path
        self.marks = {}
        self.embedder = Hashing()
        self.snapshot = paragraph_index(TEXTS, self.embedder, Capitals())

    def documents(self):
        return tuple(document(document_id(text.sha256), f"{text.title}.pdf", 1) for text in TEXTS)

    def passages(self, document_id, page=None):
        return tuple(
            passage(document_id, 0, 1, text.text)
            for text in TEXTS
            if paragraph_id(text) == f"{document_id}:00000" and page in (None, 1)
        )

    def passage(self, passage_id):
        return self.passages(passage_id.partition(":")[0])[0]

    def index(self):
        return self.snapshot

    def search(self, question, retriever="bm25", k=10):
        query = question if isinstance(question, Query) else Query(question)
        return Search(self.snapshot, self.embedder).search(query, retriever, k)

    def labels(self):
        return tuple(Label(q, p, who, grade) for (q, p, who), grade in self.marks.items())

    def label(self, question, passage_id, labeller, grade):
        self.marks[question, passage_id, labeller] = grade


@pytest.fixture
def corpus(tmp_path):
    return Corpus(tmp_path)


@pytest.fixture
def lab(corpus):
    corpus.label(ASKED, LETTER, "ann", 2)
    corpus.label(ASKED, NOTES, "ann", 0)
    corpus.label(LEVERAGE, REPORT, "ann", 1)
    corpus.label(ASKED, LETTER, "bob", 2)
    corpus.label(ASKED, NOTES, "bob", 1)
    return Lab(corpus, corpus.embedder)


def test_label_evaluate_read_the_verdict(lab, corpus):
    run = lab.start(lab.questions("ann"), ("bm25", "dense"), ks=(1, 3))
    state = run.wait(30)
    assert state.status == "done", state.message
    assert (state.done, state.total) == (4, 4)
    assert state.result.mean("bm25", "HR@1") == 1.0
    assert lab.reports() == (state.result,)
    assert not lab.stale(state.result)
    corpus.snapshot = paragraph_index(TEXTS[:2], corpus.embedder, Capitals())
    assert lab.stale(state.result)


def test_export_and_import(lab, tmp_path):
    text = lab.exported("ann")
    (tmp_path / "other").mkdir()
    other = Corpus(tmp_path / "other")
    assert Lab(other).imported(text, "cyd") == 2
    assert other.marks == {(ASKED, LETTER, "cyd"): 2, (LEVERAGE, REPORT, "cyd"): 1}
    with pytest.raises(MissingData, match="No passage has been marked"):
        Lab(Corpus(tmp_path)).exported()


def test_labellers_and_their_agreement(lab):
    assert lab.labellers() == ("ann", "bob")
    found = lab.agreement("ann", "bob")
    assert (found.judged, found.observed) == (2, 0.5)
    assert [(miss.item, miss.grade_a, miss.grade_b) for miss in found.disagreements] == [(NOTES, 0, 1)]


def test_the_queue_leaves_out_what_this_person_judged(lab):
    assert lab.queue(ASKED, ("dense",), "ann").passages == (REPORT,)
    assert set(lab.queue(ASKED, ("bm25", "dense"), "cyd").passages) == {LETTER, REPORT, NOTES}


def test_the_scale_curve_and_changed_questions(lab):
    curve = lab.start_scale(lab.questions("ann"), ("bm25",), sizes=(2,), gold_kept=False).wait(30)
    assert curve.status == "done", curve.message
    assert {point.size for point in curve.result.points} == {2, 3}
    assert lab.curves.all() == (curve.result,) and not lab.outdated(curve.result)
    again = lab.start_scale(lab.questions("ann"), ("bm25",), sizes=(2,), gold_kept=False).wait(30)
    assert again.result.made_at == curve.result.made_at and again.total == 0  # nothing was searched
    other = lab.start_scale(lab.questions("ann"), ("bm25",), sizes=(2,)).wait(30)
    assert other.result.fingerprint != curve.result.fingerprint and len(lab.curves.all()) == 2
    rows = lab.start_robustness(lab.questions("ann"), ("bm25",)).wait(30)
    assert rows.status == "done", rows.message
    assert {row.kind for row in rows.result.rows} == {"typos", "paraphrase"}
    assert lab.changed.all() == (rows.result,) and not lab.outdated(rows.result)
    again = lab.start_robustness(lab.questions("ann"), ("bm25",)).wait(30)
    assert again.total == 0 and again.result == rows.result  # nothing was searched
    assert [example.kind for example in rows.result.examples] == ["typos", "paraphrase"]
    assert all(example.asked != example.changed for example in rows.result.examples)


def test_a_curve_is_outdated_when_the_corpus_changes_and_a_damaged_one_is_not_shown(corpus, lab):
    curve = lab.start_scale(lab.questions("ann"), ("bm25",), sizes=(2,)).wait(30).result
    corpus.snapshot = paragraph_index(TEXTS[:2], corpus.embedder, Capitals())
    assert lab.outdated(curve)
    lab.curves.save(curve).write_text('{"points": 3}', encoding="utf-8")
    assert lab.curves.all() == ()


def test_an_ablation_of_the_labelled_set(lab):
    state = lab.start_ablation(lab.questions("ann"), over="hybrid").wait(60)
    assert state.status == "done", state.message
    assert lab.ablations.all() == (state.result,) and lab.reports() == ()
    assert lab.changes(state.result) == ()
    assert lab.start_ablation(lab.questions("ann"), over="bm25").wait(30).status == "failed"


def test_a_bad_level_ends_the_run_with_a_message(lab):
    state = lab.start(lab.questions(), ("bm25",), level="chapter").wait(30)
    assert (state.status, state.result) == ("failed", None)
    assert "no level" in state.message


def test_what_has_changed_since_a_run(corpus, lab):
    set_now = {}
    lab = Lab(corpus, corpus.embedder, settings=lambda: dict(set_now))
    report = lab.start(lab.questions("ann"), ("bm25",), ks=(1,)).wait(30).result
    assert lab.changes(report) == ()
    set_now["bm25_k1"] = 2.0
    assert lab.changes(report) == ("settings",)
    corpus.label(LEVERAGE, NOTES, "ann", 2)
    assert lab.changes(report) == ("settings", "labels")
    corpus.snapshot = paragraph_index(TEXTS[:2], corpus.embedder, Capitals())
    assert lab.changes(report) == ("corpus", "settings", "labels")


def test_a_file_without_higher_grades_is_of_relevant_places(corpus):
    line = '{"id": "1", "question": "Q?", "gold": [{"document": "Letter.pdf", "page": 1}]}'
    assert Lab(corpus).imported(line, "cyd") == 1
    assert corpus.marks == {("Q?", LETTER, "cyd"): 2}
