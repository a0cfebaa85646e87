"""Pools, the scale curve and kept runs over a real index of a few paragraphs."""

import hashlib
from dataclasses import fields, replace

import numpy as np
import pytest

from aethel_core.entities.filter import entity
from aethel_core.errors import Cancelled, InvalidInput
from aethel_core.evaluation.base import Dataset, Paragraph, ParagraphQuestion
from aethel_core.evaluation.experiments import Plan, evaluate_paragraphs
from aethel_core.evaluation.judgements import Judgements
from aethel_core.evaluation.pools import paragraph_id, paragraph_index, paragraph_segments, pool_judgements
from aethel_core.evaluation.remember import RememberingEmbedder
from aethel_core.evaluation.results import Results
from aethel_core.evaluation.scale import restricted, scale_curve
from aethel_core.index import Index, Segment
from aethel_core.retrievers.bm25 import BM25
from aethel_core.types import Mention, Metadata
from tests.evaluation.fakes import judged, passage


class Hashing:
    """A direction of its own for each text: vectors are not what is tested here."""

    name = "hashing"
    dimensions = 8

    def __init__(self):
        self.embedded = []

    def embed(self, texts):
        self.embedded.extend(texts)
        rows = np.array([list(hashlib.sha256(t.encode()).digest()[:8]) for t in texts], dtype=np.float32)
        rows = rows.reshape(len(texts), 8) + 1
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


class Capitals:
    """Reads every capitalised word as a name."""

    name = "capitals"

    def read(self, texts):
        return [
            tuple((e, "ner") for word in text.split() if word[0].isupper() and (e := entity(word)))
            for text in texts
        ]


def searcher_of(index):
    return lambda query, retriever, k: BM25(index).search(query, k)


LION = Paragraph("Lion", "The lion lives in Africa and hunts zebra.")
ZEBRA = Paragraph("Zebra", "The zebra eats grass in the savanna.")
TIGER = Paragraph("Tiger (animal)", "The tiger lives in Asia and hunts deer.")
DEER = Paragraph("Deer", "Deer graze in the forest of Asia.")
OAK = Paragraph("Oak", "Oaks are trees.")
DATA = Dataset(
    "animals",
    (
        ParagraphQuestion("q1", "What does the prey of the lion eat?", (LION, ZEBRA, OAK), (0, 1)),
        ParagraphQuestion("q2", "Where does the tiger live?", (TIGER, DEER, OAK, OAK), (0,)),
    ),
)


def run(pool, **options):
    return evaluate_paragraphs(
        DATA, pool, Plan(("bm25",), (1, 5), **options), Hashing(), Capitals(), searcher_of
    )


def test_a_paragraph_is_a_document_of_one_passage_seen_with_its_title():
    index = paragraph_index((TIGER, LION, TIGER), Hashing(), Capitals())
    assert index.size == 2
    assert paragraph_id(TIGER) in index.ids
    segment = paragraph_segments([TIGER], Hashing(), Capitals())[TIGER]
    assert segment.sections == ("Tiger (animal)",)
    assert segment.match_texts == (" tiger animal the tiger lives in asia and hunts deer ",)
    assert {e.name for e in segment.mentions["title"].entities} == {"Tiger", "Tiger (animal)"}
    assert "asia" in {e.id.partition(":")[2] for e in segment.mentions["ner"].entities}


def test_the_same_paragraph_of_two_questions_is_one_in_the_open_pool():
    assert DATA.paragraphs == (LION, ZEBRA, OAK, TIGER, DEER)


def test_gold_are_the_supporting_paragraphs():
    assert pool_judgements(DATA.questions).qrels == {
        "q1": {paragraph_id(LION): 1, paragraph_id(ZEBRA): 1},
        "q2": {paragraph_id(TIGER): 1},
    }


def test_the_closed_pool_finds_only_the_questions_own_paragraphs():
    report = run("closed")
    assert report.level == "paragraph"
    (first,) = report.answers_to("q1")
    assert set(first.items) <= {paragraph_id(p) for p in (LION, ZEBRA, OAK)}
    assert report.mean("bm25", "HR@1") == 1.0


def test_the_open_pool_finds_any_paragraph():
    (second,) = run("open").answers_to("q2")
    assert paragraph_id(LION) in second.items  # "live" is in it too
    assert second.items[0] == paragraph_id(TIGER)


def test_pools_repeat_bit_for_bit_and_differ_in_name():
    assert run("closed") == run("closed")
    assert run("closed").fingerprint != run("open").fingerprint
    with pytest.raises(InvalidInput, match="no pool"):
        run("half")


def test_a_kept_result_is_not_made_again(tmp_path):
    results = Results(tmp_path)
    first = run("open", results=results)
    assert run("open", results=results, cancelled=lambda: True).to_json() == first.to_json()
    with pytest.raises(Cancelled):
        run("closed", results=results, cancelled=lambda: True)


def test_vectors_are_remembered_across_runs(tmp_path):
    inner = Hashing()
    embedder = RememberingEmbedder(inner, tmp_path)
    first = embedder.embed(["a", "b", "a"])
    assert inner.embedded == ["a", "b"]
    again = RememberingEmbedder(inner, tmp_path)
    assert np.array_equal(again.embed(["b", "a"]), first[[1, 0]])
    assert inner.embedded == ["a", "b"]
    assert again.embed([]).shape == (0, 8)
    assert (again.name, again.dimensions) == ("hashing", 8)


def test_a_damaged_memory_of_vectors_is_made_anew(tmp_path):
    RememberingEmbedder(Hashing(), tmp_path).embed(["a", "b"])
    (file,) = tmp_path.iterdir()
    file.write_bytes(b"not an archive")
    inner = Hashing()
    assert RememberingEmbedder(inner, tmp_path).embed(["a", "b"]).shape == (2, 8)
    assert inner.embedded == ["a", "b"]


def _corpus(count):
    """One document per paragraph; gold is the first."""
    paragraphs = [Paragraph(f"Title{i}", f"Common text number{i}") for i in range(count)]
    return paragraphs, paragraph_index(paragraphs, Hashing(), Capitals())


def test_a_restricted_index_is_the_index_of_what_is_left():
    paragraphs, index = _corpus(6)
    kept = paragraphs[:3]
    cut = restricted(index, {paragraph_id(p) for p in kept})
    fresh = paragraph_index(kept, Hashing(), Capitals())
    assert cut.ids == fresh.ids
    assert np.array_equal(cut.body.document_frequency, fresh.body.document_frequency)
    assert cut.ner_graph.entities == fresh.ner_graph.entities


def test_a_document_of_several_passages_is_cut_inside():
    passages = [passage("d", i, i + 1, f"word{i} Name{i}") for i in range(4)]
    mentions = [Mention(p.id, entity(f"Name{i}"), "ner") for i, p in enumerate(passages)]
    vectors = Hashing().embed([p.text for p in passages])
    whole = Segment.build("d", Metadata(company="Acme"), passages, vectors, mentions)
    whole = replace(whole, self_references=(2, 3))
    cut = restricted(Index.empty().extended([whole]), {passages[1].id, passages[3].id}).segments[0]
    assert cut.passage_ids == (passages[1].id, passages[3].id)
    assert cut.pages == (2, 4)
    assert np.array_equal(cut.vectors, whole.vectors[[1, 3]])
    assert [e.name for e in cut.mentions["ner"].entities] == ["Name1", "Name3"]
    assert cut.mentions["ner"].rows.tolist() == [0, 1]
    assert cut.body.counts.shape[0] == cut.forms.counts.shape[0] == 2
    assert cut.self_references == (1,)


def _curve(gold_kept, **options):
    paragraphs, index = _corpus(40)
    gold = judged({"q1": [paragraph_id(paragraphs[7])]}).questions
    question = Judgements("paragraph", (gold[0].__class__("q1", "number7", gold[0].relevant),), lambda p: p)
    return scale_curve(
        index,
        question,
        searcher_of,
        ("bm25",),
        sizes=(1, 10, 20, 40),
        ks=(1,),
        gold_kept=gold_kept,
        **options,
    )


def test_with_gold_kept_the_answer_is_always_there():
    curve = _curve(True)
    found = {p.size: (p.mean, p.sigma, p.reachable) for p in curve.points if p.metric == "HR@1"}
    assert found == {10: (1.0, 0.0, 1.0), 20: (1.0, 0.0, 1.0), 40: (1.0, 0.0, 1.0)}
    assert (curve.full_size, curve.left_out) == (40, (1, 40))
    assert "distractors" in curve.note


def test_without_privilege_gold_falls_out_with_the_rest():
    curve = _curve(False)
    found = {p.size: p for p in curve.points if p.metric == "HR@1"}
    assert sorted(found) == [1, 10, 20, 40]
    for point in found.values():
        assert point.mean == point.reachable  # the only passage with the word, when it is there
    assert found[1].mean < 1.0 == found[40].mean
    assert found[20].sigma == pytest.approx((found[20].mean * (1 - found[20].mean)) ** 0.5)
    assert curve == _curve(False)


def test_scale_curve_progress_and_cancel():
    seen = []
    _curve(True, on_progress=lambda *at: seen.append(at))
    assert seen[-1] == (11, 11) and len(seen) == 11
    with pytest.raises(Cancelled):
        _curve(True, cancelled=lambda: True)
    with pytest.raises(InvalidInput):
        _curve(True, resamples=0)


def test_every_field_of_a_segment_that_goes_by_passage_is_cut():
    """Fails when a field is added: then `scale._sliced` must learn of it, or this test that it
    belongs to the document as a whole."""
    whole_document = {"document_id", "metadata", "joins"}
    by_passage = {"passage_ids", "pages", "sections", "kinds", "statements", "match_texts", "body"}
    by_passage |= {"context", "forms", "vectors", "mentions", "self_references", "summary"}
    assert {field.name for field in fields(Segment)} == whole_document | by_passage
