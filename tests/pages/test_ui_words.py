"""Numbers, times and names as a person reads them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pages._ui import words


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0.0042, "4.2 ms"),
        (0.25, "250 ms"),
        (0.9999, "1.0 s"),
        (1.26, "1.3 s"),
        (125, "2 min 05 s"),
        (3700, "1 h 01 min"),
    ],
)
def test_seconds(value: float, said: str) -> None:
    assert words.seconds(value) == said


@pytest.mark.parametrize(
    ("value", "said"),
    [(3, "a few seconds"), (41, "about 40 s"), (170, "about 3 min"), (7200, "about 2.0 h")],
)
def test_remaining_is_no_more_exact_than_an_estimate(value: float, said: str) -> None:
    assert words.remaining(value) == said


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (12.74349, "12.743"),
        (-0.12345, "−0.123"),
        (0.03278, "0.0328"),
        (0.000412, "0.000412"),
        (0.0000412, "4.12e−5"),
        (0.0, "0.000"),
    ],
)
def test_score_has_three_digits_that_say_something(value: float, said: str) -> None:
    assert words.score(value) == said


def test_count() -> None:
    assert words.count(1, "page") == "1 page"
    assert words.count(14073, "passage") == "14,073 passages"
    assert words.count(2, "company", "companies") == "2 companies"


def test_clip_cuts_between_words() -> None:
    assert words.clip("a  short\nname", 40) == "a short name"
    assert words.clip("Consolidated statements of operations", 24) == "Consolidated statements…"
    assert len(words.clip("x" * 500, 24)) == 24


def test_when() -> None:
    now = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
    assert words.when("2026-11-30T09:05:00+00:00", now).startswith("today ")
    assert words.when("2026-11-29T12:05:00+00:00", now).startswith("yesterday ")
    assert words.when("2026-11-03T12:05:00+00:00", now) == "3 Nov 2026"
    assert words.when("some day", now) == "some day"


def test_plain_leaves_no_markdown() -> None:
    said = words.plain("A*B* $1$ [x](u) :red[y] `c` # h\nnext")
    assert said == r"A\*B\* \$1\$ \[x\]\(u\) \:red\[y\] \`c\` \# h next"


def test_file_part_is_a_name_on_any_system() -> None:
    assert words.file_part('What/is: "net" sales?') == "Whatis net sales"
    assert words.file_part("???") == "question"
