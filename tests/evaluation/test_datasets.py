import json

import pytest

from aethel_core.errors import InvalidInput, MissingData
from aethel_core.evaluation.base import Gold, Paragraph, Question
from aethel_core.evaluation.datasets import (
    parse_questions,
    read_financebench,
    read_paragraphs,
    read_questions,
    sample,
    with_hops,
    write_questions,
)


def _write(path, *entries):
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
    return path


OWN = {
    "id": "q1",
    "question": "What is the NAV?",
    "answer": "12",
    "hops": 2,
    "gold": [{"document": "LP.pdf", "page": 3, "quote": "NAV of 12"}, {"document": "10K.pdf", "grade": 2}],
}


def test_our_question_file_round_trips(tmp_path):
    questions = read_questions(_write(tmp_path / "q.jsonl", OWN, {**OWN, "id": 7, "hops": None}))
    assert questions[0] == Question(
        "q1", "What is the NAV?", (Gold("LP.pdf", 3, "NAV of 12"), Gold("10K.pdf", None, "", 2)), "12", 2
    )
    assert questions[1].id == "7"
    assert parse_questions(write_questions(questions)) == questions


def test_a_line_separator_inside_a_string_does_not_end_the_line():
    text = json.dumps({**OWN, "question": "before\u2028after"}, ensure_ascii=False)
    assert parse_questions(text)[0].text == "before\u2028after"


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("{not json", "line 2 is not JSON"),
        ("[1, 2]", "line 2 is not a JSON object"),
        (json.dumps({"id": "x", "question": "?"}), "line 2 has no 'gold'"),
        (json.dumps({**OWN, "id": "x", "gold": []}), "at least one place"),
        (json.dumps({**OWN, "id": "x", "gold": [{"page": 2}]}), "line 2 has no 'document'"),
        (json.dumps({**OWN, "id": "x", "gold": [{"document": "a", "page": 0}]}), "at least 1, not 0"),
        (json.dumps({**OWN, "id": "x", "gold": [{"document": "a", "page": "3"}]}), "not '3'"),
        (json.dumps({**OWN, "id": "x", "gold": ["a"]}), "line 2 is malformed"),
        (json.dumps({**OWN, "id": "x", "question": "  "}), "not empty"),
        (json.dumps({**OWN, "id": None}), "'id' must be"),
        (json.dumps(OWN), "more than once: q1"),
    ],
)
def test_a_malformed_line_is_named(entry, message):
    with pytest.raises(MissingData, match=message):
        parse_questions(json.dumps(OWN) + "\n" + entry)


def test_missing_and_empty_files(tmp_path):
    with pytest.raises(MissingData, match="There is no file"):
        read_questions(tmp_path / "none.jsonl")
    with pytest.raises(MissingData, match=r"github\.com/StonyBrookNLP/musique"):
        read_paragraphs(tmp_path / "none.jsonl")
    with pytest.raises(MissingData, match="patronus-ai/financebench"):
        read_financebench(tmp_path / "none.jsonl", tmp_path)
    (tmp_path / "empty.jsonl").write_text("\n\n")
    for read in (read_questions, read_paragraphs):
        with pytest.raises(MissingData, match="no questions"):
            read(tmp_path / "empty.jsonl")
    (tmp_path / "latin.jsonl").write_bytes("é".encode("latin-1"))
    with pytest.raises(MissingData, match="UTF-8"):
        read_questions(tmp_path / "latin.jsonl")


def test_financebench_pages_become_one_based(tmp_path):
    entry = {
        "financebench_id": "financebench_id_1",
        "company": "Adobe",
        "doc_name": "ADOBE_2015_10K",
        "question": "What is the FY2015 ratio?",
        "answer": "0.66",
        "evidence": [
            {"evidence_text": "Total current", "doc_name": "ADOBE_2015_10K", "evidence_page_num": 58},
            {"evidence_text": "Net cash", "evidence_page_num": 62},
        ],
    }
    path = _write(tmp_path / "fb.jsonl", entry)
    with pytest.raises(MissingData, match=r"lacks 1 .*ADOBE_2015_10K\.pdf"):
        read_financebench(path, tmp_path)
    with pytest.raises(MissingData, match="no folder"):
        read_financebench(path, tmp_path / "pdfs")
    (tmp_path / "ADOBE_2015_10K.pdf").touch()
    (question,) = read_financebench(path, tmp_path)
    assert question.gold == (
        Gold("ADOBE_2015_10K.pdf", 59, "Total current"),
        Gold("ADOBE_2015_10K.pdf", 63, "Net cash"),
    )


def test_paragraph_lines(tmp_path):
    path = _write(
        tmp_path / "p.jsonl",
        {
            "id": "1",
            "question": "Who?",
            "answer": "She",
            "paragraphs": [
                {"title": "A", "text": "One.", "supporting": False},
                {"title": "B", "text": "Two.", "supporting": True},
            ],
        },
        {"id": "2", "question": "What?", "paragraphs": [{"title": "A", "text": "One.", "supporting": False}]},
    )
    data = read_paragraphs(path)
    assert data.name == "paragraphs"
    assert data.skipped == ("2",)
    assert data.questions[0].supporting == (1,)
    assert data.paragraphs == (Paragraph("A", "One."), Paragraph("B", "Two."))


def test_musique_official(tmp_path):
    entry = {
        "id": "2hop__1_2",
        "question": "Where?",
        "answer": "Stanley",
        "answer_aliases": [],
        "answerable": True,
        "question_decomposition": [{"id": 1}, {"id": 2}],
        "paragraphs": [
            {"idx": 0, "title": "A", "paragraph_text": "One.", "is_supporting": True},
            {"idx": 1, "title": "B", "paragraph_text": "Two.", "is_supporting": False},
        ],
    }
    data = read_paragraphs(_write(tmp_path / "m.jsonl", entry, {**entry, "id": "x", "answerable": False}))
    assert (data.name, data.skipped) == ("MuSiQue", ("x",))
    assert data.questions[0].supporting == (0,)
    assert data.questions[0].hops == 2


@pytest.mark.parametrize(("extra", "name"), [({"evidences": []}, "2WikiMultiHopQA"), ({}, "HotpotQA")])
def test_hotpotqa_and_2wiki_official(tmp_path, extra, name):
    entry = {
        "_id": "5a8",
        "question": "Which?",
        "answer": "yes",
        "type": "comparison",
        "supporting_facts": [["B", 0], ["B", 1], ["C", 0]],
        "context": [["A", ["One."]], ["B", ["Two.", " Three. "]], ["C", ["Four."]]],
        **extra,
    }
    path = tmp_path / "dev.json"
    path.write_text(json.dumps([entry]))
    data = read_paragraphs(path)
    assert data.name == name
    assert data.questions[0].supporting == (1, 2)
    assert data.questions[0].paragraphs[1] == Paragraph("B", "Two. Three.")
    path.write_text(json.dumps([entry, {**entry, "_id": "2", "context": [["A"]]}]))
    with pytest.raises(MissingData, match="entry 2 is malformed"):
        read_paragraphs(path)
    path.write_text(json.dumps([entry]) + "]")
    with pytest.raises(MissingData, match="not JSON"):
        read_paragraphs(path)


def test_tatqa_official(tmp_path):
    entry = {
        "table": {"uid": "t", "table": [["", "2019"], ["Fixed Price", "$ 1,452.4"]]},
        "paragraphs": [
            {"uid": "b", "order": 2, "text": "Second."},
            {"uid": "a", "order": 1, "text": "First."},
        ],
        "questions": [
            {"uid": "q1", "question": "How much?", "answer": ["1", "2"], "answer_from": "table-text",
             "rel_paragraphs": ["2"]},
            {"uid": "q2", "question": "Why?", "answer": 3, "answer_from": "text", "rel_paragraphs": ["1"]},
            {"uid": "q3", "question": "When?", "answer": "x", "answer_from": "table", "rel_paragraphs": []},
        ],
    }  # fmt: skip
    path = tmp_path / "tat.json"
    path.write_text(json.dumps([entry]))
    data = read_paragraphs(path)
    assert data.name == "TAT-QA"
    assert [question.supporting for question in data.questions] == [(0, 2), (1,), (0,)]
    assert data.questions[0].paragraphs[0].text == " | 2019\nFixed Price | $ 1,452.4"
    assert data.questions[0].paragraphs[2].text == "Second."
    assert data.questions[0].answer == "1, 2"


def test_unknown_shape(tmp_path):
    with pytest.raises(MissingData, match="no known shape"):
        read_paragraphs(_write(tmp_path / "x.jsonl", {"id": 1, "question": "?"}))


def test_sampling_repeats_and_keeps_the_order():
    items = list(range(100))
    drawn = sample(items, 10)
    assert drawn == sample(items, 10)
    assert list(drawn) == sorted(drawn) and len(set(drawn)) == 10
    assert sample(items, 10, seed=1) != drawn
    assert sample(items, None) == sample(items, 500) == tuple(items)
    with pytest.raises(InvalidInput):
        sample(items, 0)


def test_the_shared_files_are_read(shared_data):
    assert len(read_questions(shared_data / "financebench" / "questions.jsonl")) == 58
    musique = read_paragraphs(shared_data / "multihop" / "musique.jsonl")
    assert len(musique.questions) == 100 and not musique.skipped
    wiki = read_paragraphs(shared_data / "multihop" / "2wikimultihopqa.jsonl")
    assert len(wiki.questions) == 82


def test_multi_hop_questions_can_be_picked():
    questions = tuple(Question(str(i), "?", (), hops=hops) for i, hops in enumerate((None, 1, 2, 3)))
    assert [question.id for question in with_hops(questions, 2)] == ["2", "3"]
    assert with_hops(questions, 1) == questions
    with pytest.raises(MissingData, match="No question has 4 hops"):
        with_hops(questions, 4)


_PARAGRAPHS = [{"title": "a", "text": "one", "supporting": True}]


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (
            {"id": "a", "question": "q", "hops": "2", "paragraphs": _PARAGRAPHS},
            "line 1 .*'hops' must be a whole",
        ),
        (
            {"id": "a", "question": "q", "paragraphs": [{**_PARAGRAPHS[0], "text": "\ud800"}]},
            "line 1 holds half of a surrogate pair",
        ),
        (
            {
                "table": {"table": [["a"]]},
                "paragraphs": [],
                "questions": [{"uid": "u", "question": "q", "rel_paragraphs": ["9"]}],
            },
            "rests on paragraph '9', which is not there",
        ),
    ],
)
def test_what_cannot_be_measured_is_told_by_its_line(tmp_path, entry, said):
    with pytest.raises(MissingData, match=said):
        read_paragraphs(_write(tmp_path / "x.jsonl", entry))


def test_whole_surrogate_pairs_are_text(tmp_path):
    entry = {"id": "a", "question": "\U0001f600?", "paragraphs": _PARAGRAPHS}
    assert read_paragraphs(_write(tmp_path / "x.jsonl", entry)).questions[0].text == "\U0001f600?"


def test_places_that_are_no_objects_and_evidence_without_text(tmp_path):
    with pytest.raises(MissingData, match="must be an object with a document, not 'x'"):
        read_questions(_write(tmp_path / "q.jsonl", {"id": "a", "question": "q", "gold": ["x"]}))
    evidence = {"evidence_page_num": 0, "evidence_text": None}
    entry = {"financebench_id": "f", "question": "q", "answer": "1", "doc_name": "A", "evidence": [evidence]}
    (question,) = read_questions(_write(tmp_path / "f.jsonl", entry))
    assert question.gold[0].quote == "" and question.gold[0].page == 1
