"""Periods as written, and the years that a question needs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aethel_core.finance.periods import find_periods, target_year, years_needed
from aethel_core.types import Period


@pytest.mark.parametrize(
    ("text", "period", "kind"),
    [
        ("FY22", Period(2022), "fiscal year"),
        ("FY2022", Period(2022), "fiscal year"),
        ("FY '21", Period(2021), "fiscal year"),
        ("FY2021/22", Period(2022), "fiscal year"),
        ("fiscal 2022", Period(2022), "fiscal year"),
        ("fiscal year 2022", Period(2022), "fiscal year"),
        ("financial year 2019", Period(2019), "fiscal year"),
        ("2022", Period(2022), "fiscal year"),
        ("CY2020", Period(2020), "fiscal year"),
        ("Q3'23", Period(2023, 3), "quarter"),
        ("Q3 2023", Period(2023, 3), "quarter"),
        ("Q2'2023", Period(2023, 2), "quarter"),
        ("3Q23", Period(2023, 3), "quarter"),
        ("Q22023", Period(2023, 2), "quarter"),
        ("2023Q3", Period(2023, 3), "quarter"),
        ("FY23 Q3", Period(2023, 3), "quarter"),
        ("Q4 of FY2023", Period(2023, 4), "quarter"),
        ("third quarter of 2022", Period(2022, 3), "quarter"),
        ("first fiscal quarter of fiscal 2022", Period(2022, 1), "quarter"),
        ("Q4", Period(None, 4), "quarter"),
        ("H1 FY2023", Period(2023, 2), "half"),
        ("2H22", Period(2022), "half"),
        ("first half of 2021", Period(2021, 2), "half"),
        ("LTM", Period(), "ltm"),
        ("trailing twelve months", Period(), "ltm"),
        ("LTM June 30, 2022", Period(2022, None, "2022-06-30"), "ltm"),
        ("year ended June 30, 2022", Period(2022, None, "2022-06-30"), "fiscal year"),
        ("fiscal year ending 31 December 2020", Period(2020, None, "2020-12-31"), "fiscal year"),
        ("52 weeks ended January 28, 2023", Period(2023, None, "2023-01-28"), "fiscal year"),
        ("three months ended March 31, 2023", Period(2023, None, "2023-03-31"), "quarter"),
        ("thirteen weeks ended July 29, 2023", Period(2023, None, "2023-07-29"), "quarter"),
        ("six months ended June 30, 2023", Period(2023, None, "2023-06-30"), "half"),
        ("quarter ended Sept. 30, 2021", Period(2021, None, "2021-09-30"), "quarter"),
        ("December 31, 2022", Period(2022, None, "2022-12-31"), "date"),
        ("31 December 2022", Period(2022, None, "2022-12-31"), "date"),
        ("2022-06-30", Period(2022, None, "2022-06-30"), "date"),
        ("6/30/2022", Period(2022, None, "2022-06-30"), "date"),
        ("February 2024", Period(2024, None, "2024-02-29"), "date"),
    ],
)
@pytest.mark.parametrize("frame", ["{}", "What was it in {}?", "({})", "From the {}, we see."])
def test_single_periods(text: str, period: Period, kind: str, frame: str) -> None:
    (span,) = find_periods(frame.format(text))
    assert (span.text, span.period, span.kind) == (text, period, kind)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("FY2017 - FY2019", 2017, 2019),
        ("between 2018 and 2020", 2018, 2020),
        ("from FY2015 to FY2016", 2015, 2016),
        ("2018–2020", 2018, 2020),
        ("2018-20", 2018, 2020),
        ("FY17–19", 2017, 2019),
        ("from fiscal 2018 through fiscal 2021", 2018, 2021),
        ("Q1 to Q3 2023", 2023, 2023),
    ],
)
def test_ranges(text: str, first: int, last: int) -> None:
    (span,) = find_periods(f"The change {text}.")
    assert span.kind == "range"
    assert span.years == tuple(range(first, last + 1))


def test_and_alone_makes_no_range() -> None:
    assert [s.period.fiscal_year for s in find_periods("in 2020 and 2022")] == [2020, 2022]
    assert [s.period.fiscal_year for s in find_periods("in 2022, Q3 2023")] == [2022, 2023]


@pytest.mark.parametrize(
    "text",
    [
        "5.00% Notes due 2025",
        "the 2019 Incentive Plan",
        "$2022",
        "2,022 stores",
        "call 555-2022",
        "2022.5",
        "2022 million",
        "Rule 2010",
        "1066",
        "H1N1",
        "Q5",
    ],
)
def test_what_is_no_period(text: str) -> None:
    assert find_periods(text) == ()


def test_a_day_that_does_not_exist_leaves_the_year() -> None:
    assert [s.period for s in find_periods("June 45, 2022")] == [Period(2022)]


@pytest.mark.parametrize(
    ("question", "years", "target"),
    [
        ("What is the FY2019 revenue?", (2019,), 2019),
        ("What is the FY2017 - FY2019 3 year average of capex?", (2017, 2018, 2019), 2019),
        ("What is the year-over-year change in revenue in 2020?", (2019, 2020), 2020),
        ("How much did it change between FY2021 and FY2022?", (2021, 2022), 2022),
        ("What is the 3 year average margin as of FY2021?", (2019, 2020, 2021), 2021),
        ("What is the 2 year revenue CAGR to FY2022?", (2020, 2021, 2022), 2022),
        ("Did Q2 of FY2023 beat Q2 of FY2022?", (2022, 2023), 2023),
        ("Is growth expected to accelerate in FY2023?", (2022, 2023), 2022),
        ("Who is the CEO?", (), None),
        ("As of June 30, 2021, what was the NAV?", (2021,), 2021),
    ],
)
def test_years_of_a_question(question: str, years: tuple[int, ...], target: int | None) -> None:
    assert years_needed(question) == years
    assert target_year(question) == target


@given(st.text(alphabet="FYQH1234 20'/-–,.QfiscalyearendJune toand", max_size=40))
def test_spans_are_ordered_and_lie_in_the_text(text: str) -> None:
    end = 0
    for span in find_periods(text):
        assert end <= span.start < span.end <= len(text)
        assert text[span.start : span.end] == span.text
        end = span.end


@given(st.integers(1990, 2060), st.integers(1, 4))
def test_every_year_and_quarter_is_read_back(year: int, quarter: int) -> None:
    for written in (f"Q{quarter} {year}", f"{quarter}Q{year % 100:02d}", f"Q{quarter} FY{year}"):
        (span,) = find_periods(written)
        assert span.period == Period(year, quarter)
