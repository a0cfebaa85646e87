"""Question by question: who found the right place, and at which rank."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from aethel_core.workspace import lab as lab_core
from pages._ui import drawer, theme, words
from pages._ui.evaluation import bench, results
from pages._ui.evaluation.bench import Bench
from pages._ui.html import Html, element

_ROW = 32
_SHOWN = ("All", "They differ", "All miss")


def draw(on: Bench) -> None:
    report = on.report()
    if report is None:
        st.info("Evaluate first; then every question is shown here with the rank each retriever gave it.")
        return
    results.stale(on, report)
    k = int(bench.headline(report).partition("@")[2])
    firsts = _firsts(report)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        which = st.segmented_control(
            "Which questions",
            _SHOWN,
            default=_SHOWN[0],
            required=True,
            key="evaluate.which",
            label_visibility="collapsed",
        )
        kept = [question for question in report.questions if _fits(firsts[question.id], which, k)]
        st.html(
            element(
                "span",
                f"{words.count(len(kept), 'question')}; rank of the first right {report.level}, empty where "
                f"it was not among the first hundred. “They differ”: only some have it in the top {k}.",
                class_="ae-quiet",
            ),
            width="stretch",
        )
    if not kept:
        st.success(
            "No question is missed by all of them." if which == _SHOWN[2] else "There is no such question."
        )
        return
    question = _table(report, kept, firsts)
    _detail(on, report, question)


def _firsts(report: lab_core.Report) -> dict[str, dict[str, int]]:
    """Question id → retriever → rank of the first right item; 0 when not found."""
    firsts: dict[str, dict[str, int]] = {question.id: {} for question in report.questions}
    for answer in report.answers:
        firsts[answer.question][answer.retriever] = min((rank for rank in answer.ranks if rank), default=0)
    return firsts


def _fits(firsts: dict[str, int], which: str, k: int) -> bool:
    found = [0 < rank <= k for rank in firsts.values()]
    if which == _SHOWN[1]:
        return any(found) and not all(found)
    return which == _SHOWN[0] or not any(found)


def _table(report: lab_core.Report, kept: Sequence, firsts: dict[str, dict[str, int]]):
    names = theme.in_order(report.retrievers)
    columns: dict[str, list] = {"Question": [question.text for question in kept]}
    for name in names:
        columns[bench.label_of(name)] = [firsts[question.id][name] or None for question in kept]
    columns["Right"] = [len(question.relevant) for question in kept]
    config = {"Question": st.column_config.TextColumn(width=620)}
    config |= {bench.label_of(name): st.column_config.NumberColumn(format="%d", width=92) for name in names}
    config["Right"] = st.column_config.NumberColumn(
        f"Right {report.level}s", width=92, help="How many were marked"
    )
    event = st.dataframe(
        columns,
        hide_index=True,
        column_config=config,
        on_select="rerun",
        selection_mode="single-row",
        key=f"evaluate.questions.{report.fingerprint}.{len(kept)}",
        row_height=_ROW,
        height=min(420, _ROW * (len(kept) + 1) + 4),
    )
    chosen = event.selection.rows
    return kept[chosen[0]] if chosen and chosen[0] < len(kept) else kept[0]


def _detail(on: Bench, report: lab_core.Report, question) -> None:
    with st.container(border=True, key="ae-question"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.html(element("b", question.text), width="stretch")
            if st.button("Open in Compare", icon=":material/view_column:"):
                bench.compare(question.text, report.retrievers)
        st.html(ranks_table(on, report, question))
        places = [(item, passage) for item, _ in question.relevant if (passage := _passage(on, item))]
        with st.container(horizontal=True, gap="small"):
            for number, (item, passage) in enumerate(places):
                if st.button(f"Read {words.plain(_named(on, item))}", key=f"read.{number}", type="tertiary"):
                    drawer.show(on.workspace, passage, tuple(p for _, p in places), question.text)


def ranks_table(on: Bench, report: lab_core.Report, question) -> Html:
    """The right places down, the retrievers across."""
    answers = {answer.retriever: answer for answer in report.answers_to(question.id)}
    names = theme.in_order(report.retrievers)
    head = element(
        "tr",
        element("th", f"Right {report.level}"),
        element("th", "Marked"),
        *(element("th", theme.look(name).label, class_="ae-num") for name in names),
    )
    rows = []
    for number, (item, grade) in enumerate(question.relevant):
        ranks = (answers[name].ranks[number] for name in names)
        rows.append(
            element(
                "tr",
                element("td", _named(on, item), class_="ae-file"),
                element("td", "relevant" if grade > 1 else "partly", class_="ae-quiet"),
                *(element("td", f"{rank}" if rank else "not found", class_="ae-num") for rank in ranks),
            )
        )
    return bench.table(head, rows)


def _named(on: Bench, item: str) -> str:
    """A page, a passage or a document of a run, in words."""
    name, mark, page = item.rpartition("#")
    if mark and page.isdecimal():
        return f"{name} · p. {page}"
    if item in {document.name for document in on.desk.documents}:
        return item
    found = on.workspace.passages_by_id([item])
    return on.workspace.citation(item) if found else "a passage that is no longer here"


def _passage(on: Bench, item: str) -> str:
    """The passage to open for an item; "" when its document has gone."""
    name, mark, page = item.rpartition("#")
    by_name = {document.name: document.id for document in on.desk.documents}
    if mark and page.isdecimal():
        place, number = name, int(page)
    else:
        place, number = item, None
    if place in by_name:
        found = on.workspace.passages(by_name[place], number)
        marked = {label.passage_id for label in on.labels if label.grade > 0}
        return next((p.id for p in found if p.id in marked), found[0].id if found else "")
    return item if on.workspace.passages_by_id([item]) else ""
