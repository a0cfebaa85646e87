"""Each thing said once, what matters first, and a draft that fits on a few pages."""

from __future__ import annotations

from dataclasses import replace

from aethel_core.agents import Finding, FindingKind, Reading
from aethel_core.agents.ranking import CITED, merged, ranked
from aethel_core.agents.synthesizer import MOST, OF_ONE_TAKE, SUMMARY, synthesize


def cell(value: float, period: str = "December 31, 2022", measure: str = "Net asset value") -> Reading:
    return Reading(f"{value}", value, "currency", 1.0, "USD", period, measure, "a:00001", "row")


def stated(id: str, claim: str, passage: str = "a:00001", *figures: Reading, **changes: object) -> Finding:
    return replace(Finding(id, "Auditor", claim, (passage,), figures, 0.8, section="S"), **changes)


GREEK = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "theta", "iota", "kappa", "lambda", "sigma")
NOW, BEFORE = cell(420.0), cell(412.2, "September 30, 2022")


def test_one_figure_from_several_tables_is_one_finding_with_their_citations() -> None:
    found = merged(
        [
            stated("1", "Net asset value was 420.", "a:00001", NOW),
            stated("2", "Net asset value was 420, against 412.2.", "b:00001", NOW, BEFORE),
            stated(
                "3",
                "Net asset value at year end was 420.",
                "c:00001",
                replace(NOW, measure="Net asset value"),
            ),
            stated("4", "Net asset value was 420, says d.", "d:00001", NOW),
        ]
    )
    assert [each.id for each in found] == ["2"]
    assert found[0].passage_ids == ("b:00001", "a:00001", "c:00001") and len(found[0].passage_ids) == CITED


def test_a_figure_told_as_the_one_before_is_no_finding_of_its_own() -> None:
    found = merged(
        [
            stated(
                "old",
                "Net asset value was 412.2, against 400.",
                "a:00001",
                BEFORE,
                cell(400, "June 30, 2022"),
            ),
            stated("new", "Net asset value was 420, against 412.2.", "b:00001", NOW, BEFORE),
        ]
    )
    assert [each.id for each in found] == ["new"] and found[0].passage_ids == ("b:00001", "a:00001")


def test_the_same_sentence_of_two_specialists_and_a_part_of_it() -> None:
    claim = "A Key Person Event occurred. The investment period is suspended from that date."
    found = merged(
        [
            stated("1", "A Key Person Event occurred."),
            stated("2", claim, specialist="Other"),
            stated("3", claim, "b:00001"),
        ]
    )
    assert [each.claim for each in found] == [claim]
    assert found[0].passage_ids == ("a:00001", "b:00001")


def test_other_periods_measures_and_kinds_stay_apart() -> None:
    findings = [
        stated("1", "Net asset value was 420 at December 31, 2022.", "a:00001", NOW),
        stated("2", "Net asset value was 420 at June 30, 2022.", "a:00001", cell(420.0, "June 30, 2022")),
        stated("3", "Cash was 420.", "a:00001", cell(420.0, measure="Cash")),
        stated("4", "Net asset value was 420, computed.", "a:00001", NOW, kind=FindingKind.DERIVED),
        stated("5", "Net asset value was 420, I say.", "a:00001", NOW, kind=FindingKind.OWN),
    ]
    assert [each.id for each in merged(findings)] == ["1", "2", "3", "4", "5"]


def test_what_sounds_an_alarm_comes_before_what_does_not() -> None:
    plain = stated("plain", "The company has four plants in two countries.")
    alarm = stated("alarm", "The company passed its covenant by a margin of 0.1 times.")
    terms = stated("terms", "Holders may call an event of default if the covenant is in breach.")
    odd = stated("odd", "The letter gives 412.6, the statement 412.2.", kind=FindingKind.CONTRADICTION)
    assert [each.id for each in ranked([plain, terms, alarm, odd])] == ["odd", "alarm", "terms", "plain"]


def test_of_many_differences_between_two_documents_the_first_few_count() -> None:
    many = [
        replace(
            stated(f"c{n}", f"Measure {GREEK[n]} differs.", kind=FindingKind.CONTRADICTION),
            passage_ids=("a:00001", "b:00001"),
        )
        for n in range(6)
    ]
    order = [each.id for each in ranked([*many, stated("plain", "The company has four plants abroad.")])]
    assert order == ["c0", "c1", "c2", "plain", "c3", "c4", "c5"]


def test_a_section_is_limited_and_none_of_its_parts_is_crowded_out() -> None:
    much = [stated(f"m{n}", f"The {word} plant is large.", section="Much") for n, word in enumerate(GREEK)]
    little = [stated("l", "One thing is small.", section="Little", headline=True)]
    own = [stated(f"o{n}", f"My {w}.", section="Much", kind=FindingKind.OWN) for n, w in enumerate(GREEK[:2])]
    parts = synthesize([*much, *little, *own], [("Both", ("Much", "Little")), ("Alone", ("Other",))])
    both = next(part for part in parts if part.heading == "Both")
    told = [id for line in both.lines for id in line.finding_ids]
    assert "l" in told and {"o0", "o1"} <= set(told) and len(told) <= MOST
    assert sum(id.startswith("m") for id in told) == OF_ONE_TAKE
    assert told.index("m0") < told.index("m1") < told.index("l")


def test_the_summary_is_short_and_varied() -> None:
    marked = [
        stated(f"{s}{n}", f"Section {s} says thing {w}.", section=s, headline=True)
        for s in "ABCDEFGH"
        for n, w in enumerate(("alpha", "beta", "gamma"))
    ]
    summary = synthesize(marked, [])[0]
    told = [id for line in summary.lines for id in line.finding_ids]
    assert summary.heading == "Summary" and len(told) == SUMMARY
    assert {id[0] for id in told} == set("ABCDEFGH")
