"""The contract of all specialists, extraction, derived metrics, contradictions, checklists."""

from __future__ import annotations

import json
from threading import Event

import pytest

from aethel_core.agents import KEYS, Brief, FindingKind, Report, build, run
from aethel_core.agents.checklist import builtin_text, read
from aethel_core.audit import check_sentence
from aethel_core.errors import InvalidInput, ModelUnavailable
from tests.deal import AGAIN, Q3, Shelf


def reports(*keys: str, about: tuple[str, ...] = ()) -> dict[str, Report]:
    chosen = keys or KEYS
    made = run(build(chosen), Shelf(), Brief(about))
    return dict(zip(chosen, made, strict=True))


@pytest.mark.parametrize("key", KEYS)
def test_every_finding_names_a_passage_that_carries_it(key: str) -> None:
    shelf = Shelf()
    (report,) = run(build([key]), shelf, Brief())
    assert report.findings or report.open_questions
    for found in report.findings:
        assert found.passage_ids and all(shelf.sources.get(passage) for passage in found.passage_ids)
        assert 0 < found.confidence <= 1
        derivations = [found.derivation] if found.derivation else []
        check = check_sentence(found.claim, found.passage_ids, shelf.sources, derivations)
        assert not check.flagged or found.note, (found.claim, check.flags)


@pytest.mark.parametrize("key", KEYS)
def test_every_question_is_answered_or_open(key: str) -> None:
    report = reports(key)[key]
    answered = {found.question for found in report.findings}
    left = {question.question for question in report.open_questions}
    assert answered - {""} | left == {question.id for question in read(builtin_text(key)).questions}
    assert not answered & left


def test_fund_metrics_by_hand() -> None:
    """From the letter of Q4: 110/500, 400/500, 100/400, 420/400 and 520/400, 7.8/412.2."""
    claims = " ".join(f.claim for report in reports().values() for f in report.findings)
    for metric, shown in (
        ("Unfunded ratio", "22.0%"),
        ("Paid-in to committed capital (PIC)", "80.0%"),
        ("Distributions to paid-in (DPI)", "0.25x"),
        ("Residual value to paid-in (RVPI)", "1.05x"),
        ("Total value to paid-in (TVPI)", "1.30x"),
    ):
        assert f"{metric} of Alder Ridge Partners II was {shown} at December 31, 2022" in claims
    assert "Change in NAV of Alder Ridge Partners II was 1.9% in Q4 2022" in claims


def test_company_metrics_by_hand() -> None:
    claims = " ".join(f.claim for f in reports("valuation")["valuation"].findings)
    assert "Operating margin of Halden Freight was 10.0% in fiscal 2022" in claims  # 120.4 / 1204.3
    assert "Revenue growth of Halden Freight was 9.5% in fiscal 2022" in claims  # 104.3 / 1100


def test_a_contradiction_names_both_pages_and_the_version() -> None:
    found = [f for f in reports("diligence")["diligence"].findings if f.kind is FindingKind.CONTRADICTION]
    assert [f.passage_ids for f in found] == [(f"{Q3}:00001", f"{AGAIN}:00000")]
    assert (
        "page 2, gives $412.6 million" in found[0].claim and "page 2, gives $412.2 million" in found[0].claim
    )
    assert "q3.pdf was replaced by q3-again.pdf" in found[0].note


def test_only_what_it_is_about() -> None:
    for found in reports("valuation", about=("Halden",))["valuation"].findings:
        assert "Alder Ridge" not in found.claim
        assert found.path == ("Halden", "passage")


def test_one_that_fails_leaves_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = build(["liquidity", "market"])

    def fail(*given: object, **named: object) -> Report:
        raise ModelUnavailable("The model is away.")

    monkeypatch.setattr(first, "run", fail)
    failed, worked = run([first, second], Shelf(), Brief())
    assert failed.note == "Not finished: The model is away." and not failed.findings
    assert worked.findings


def test_a_defect_in_one_leaves_the_others(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = build(["liquidity", "market"])

    def fail(*given: object, **named: object) -> Report:
        raise KeyError("secret-of-the-document")

    monkeypatch.setattr(first, "run", fail)
    failed, worked = run([first, second], Shelf(), Brief())
    assert failed == Report(
        first.name, note="Not finished: an unexpected KeyError; the program's log says where."
    )
    assert worked.findings
    assert "in fail" in caplog.text and first.name in caplog.text


def test_a_cancel_stops_all() -> None:
    stop = Event()
    shelf = Shelf()
    made = run(
        build(), shelf, Brief(), on_progress=lambda progress: stop.set(), cancelled=stop.is_set, workers=1
    )
    assert len(shelf.asked) <= 2
    assert {report.note for report in made} == {"Stopped on request."}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data.update(format=2), "format"),
        (lambda data: data["questions"][0].pop("id"), "'id'"),
        (lambda data: data["questions"][0].update(units=["furlong"]), "furlong"),
        (lambda data: data["questions"][0].update(items=["love"]), "love"),
        (lambda data: data["questions"][0].update(most=0), "most"),
        (lambda data: data["questions"][0].update(mode="x"), "mode"),
        (lambda data: data.update(metrics=["luck"]), "luck"),
        (lambda data: data["questions"].append(data["questions"][0]), "same id"),
    ],
)
def test_a_checklist_that_is_none_says_where(change, message: str) -> None:
    data = json.loads(builtin_text("liquidity"))
    change(data)
    with pytest.raises(InvalidInput, match=message):
        read(json.dumps(data))


def test_an_edited_checklist_is_used() -> None:
    data = json.loads(builtin_text("market"))
    data["questions"] = [
        {"id": "key", "question": "Key person?", "section": "People", "phrases": ["key person event"]}
    ]
    (specialist,) = build(["market"], {"market": json.dumps(data)})
    (report,) = run([specialist], Shelf(), Brief())
    assert [found.section for found in report.findings] == ["People"]
    with pytest.raises(InvalidInput, match="no specialist"):
        build(["astrology"])
