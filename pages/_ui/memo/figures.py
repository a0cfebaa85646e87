"""The figures of a finding and what the audit says of it, as HTML."""

from __future__ import annotations

from collections.abc import Sequence

from aethel_core.workspace import memos
from pages._ui import words
from pages._ui.html import Html, element, join

_SCALES = {1e3: "thousand", 1e6: "million", 1e9: "billion"}


def verdict(check: memos.SentenceCheck) -> Html:
    flags = check.flags or ((check.verdict.value,) if check.flagged else ())
    if flags:
        return join(*(element("div", f"⚑ {flag}", class_="ae-flag") for flag in flags))
    return element("div", "✓ The audit finds it in the passage", class_="ae-sound")


def table(figures: Sequence[memos.Reading]) -> Html:
    head = element("tr", *(element("th", name) for name in ("Figure", "Unit", "Period", "Read from")))
    rows = [
        element(
            "tr",
            element("td", figure.text, class_="ae-num"),
            element("td", _unit(figure)),
            element("td", figure.period or "not given"),
            element("td", figure.label or words.clip(figure.measure, 60)),
        )
        for figure in figures
    ]
    made = element("table", element("thead", head), element("tbody", *rows))
    return element("div", made, class_="ae-table ae-figures")


def _unit(figure: memos.Reading) -> str:
    unit = figure.currency or figure.unit
    scale = _SCALES.get(figure.scale)
    return f"{unit} {scale}" if scale else unit
