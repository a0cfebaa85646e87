"""The labelled set: what was marked, by whom, whether they agree; import and export."""

from __future__ import annotations

from collections import Counter

import streamlit as st

from aethel_core import workspace as core
from aethel_core.errors import AethelError, MissingData
from aethel_core.workspace import lab as lab_core
from pages._ui import drawer, marks, sample, state, words
from pages._ui.evaluation import bench
from pages._ui.evaluation.bench import EVERYONE, Bench
from pages._ui.html import Html, element

_SAMPLE = "Sample deal"
_ROW = 32
_WORDS = {2: "relevant", 1: "partly", 0: "not"}
_MOST = 20
_LARGEST_MB = 20


def draw(on: Bench) -> None:
    if on.labels:
        _questions(on)
    grid = st.grid(2, min_column_width=420, gap="large")
    with grid.cell():
        if on.labels:
            st.subheader("Who marked what", anchor=False)
            st.html(labellers_table(on))
        st.subheader("Question file", anchor=False)
        _export(on)
        import_(on)
    with grid.cell():
        if on.labels:
            st.subheader("Do they agree?", anchor=False)
            _agreement(on)


# --- the questions --------------------------------------------------------------------------------


def _questions(on: Bench) -> None:
    asked = list(dict.fromkeys(label.question for label in on.labels))
    of = {question: [label for label in on.labels if label.question == question] for question in asked}
    columns = {
        "Question": asked,
        **{
            name: [sum(label.grade == grade for label in of[question]) for question in asked]
            for grade, name in marks.GRADES.items()
        },
        "Marked by": [", ".join(sorted({label.labeller for label in of[question]})) for question in asked],
        "Latest": [words.when(max(label.at for label in of[question])) for question in asked],
    }
    numbers = {name: st.column_config.NumberColumn(width=76) for name in marks.GRADES.values()}
    event = st.dataframe(
        columns,
        hide_index=True,
        column_config={"Question": st.column_config.TextColumn(width=560), **numbers},
        on_select="rerun",
        selection_mode="single-row",
        key=state.turn("labelled.questions"),
        row_height=_ROW,
        height=min(360, _ROW * (len(asked) + 1) + 4),
    )
    rows = [row for row in event.selection.rows if row < len(asked)]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        _actions(on, asked[rows[0]] if rows else "")
    if rows:
        _marked(on, of[asked[rows[0]]])


def _actions(on: Bench, question: str) -> None:
    hint = "Select a question to see its marks." if not question else ""
    st.html(element("span", hint, class_="ae-quiet"), width="stretch")
    if question:
        if st.button("Open in Compare", icon=":material/view_column:"):
            bench.compare(question, state.view().retrievers)
        st.button("Judge more", on_click=_judge, args=(question,))
        st.button(
            f"Delete {words.plain(on.me)}'s marks of it",
            on_click=_forget,
            args=(on, question),
            disabled=not any(mark.question == question and mark.labeller == on.me for mark in on.labels),
        )
    marks.undo_button(on.workspace, "labelled.undo")


def _judge(question: str) -> None:
    state.remember("judge.question", question)
    bench.show("Judge")


def _forget(on: Bench, question: str) -> None:
    mine = [label for label in on.labels if label.question == question and label.labeller == on.me]

    def delete() -> None:
        for label in mine:
            on.workspace.label(question, label.passage_id, on.me, None)

    marks.undoable(on.workspace, delete)
    state.renew("labelled.questions")


def _marked(on: Bench, labels: list[core.Label]) -> None:
    """Every passage marked for one question; a click opens the page."""
    by_passage: dict[str, list[core.Label]] = {}
    for label in labels:
        by_passage.setdefault(label.passage_id, []).append(label)
    ids = sorted(by_passage, key=lambda passage: -max(label.grade for label in by_passage[passage]))
    for passage in ids[:_MOST]:
        said = ", ".join(f"{label.labeller}: {_WORDS[min(label.grade, 2)]}" for label in by_passage[passage])
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            if st.button(
                words.plain(on.workspace.citation(passage)), key=f"marked.{passage}", type="tertiary"
            ):
                drawer.show(on.workspace, passage, tuple(ids), labels[0].question)
            st.html(element("span", said, class_="ae-quiet"), width="content")
    if len(ids) > _MOST:
        st.caption(f"and {words.count(len(ids) - _MOST, 'more passage')}")


# --- people ---------------------------------------------------------------------------------------


def labellers_table(on: Bench) -> Html:
    head = element(
        "tr",
        element("th", "Person"),
        *(element("th", name, class_="ae-num") for name in ("Questions", *marks.GRADES.values())),
    )
    rows = []
    for who in on.labellers:
        own = [label for label in on.labels if label.labeller == who]
        grades = Counter(min(label.grade, lab_core.RELEVANT) for label in own)
        counts = (len({label.question for label in own}), *(grades[grade] for grade in marks.GRADES))
        rows.append(
            element(
                "tr",
                element("td", f"{who} (you)" if who == on.me else who, class_="ae-file"),
                *(element("td", f"{number:,}", class_="ae-num") for number in counts),
            )
        )
    return bench.table(head, rows)


def _agreement(on: Bench) -> None:
    if len(on.labellers) < 2:
        st.html(
            element(
                "p",
                "Only one person has marked so far. Let a second one judge some of the same questions under "
                "another name: labels of one person are one person's opinion.",
                class_="ae-lead",
            )
        )
        return
    with st.container(horizontal=True, gap="small"):
        first = st.selectbox("One", on.labellers, key="agree.a", width=200)
        second = st.selectbox("The other", on.labellers, index=1, key="agree.b", width=200)
    if first == second:
        st.info("Choose two different people.")
        return
    try:
        found = on.lab.agreement(first, second)
    except MissingData as error:
        st.info(words.plain(str(error)))
        return
    st.html(agreement_facts(found))
    if found.disagreements:
        _disagreements(on, found, first, second)
    else:
        st.caption("They gave the same grade to every passage both judged.")


def agreement_facts(found: lab_core.Agreement) -> Html:
    kappa = "–" if found.kappa is None else f"{found.kappa:.2f}".replace("-", "−")
    facts = [
        (kappa, f"Cohen's κ: {found.words}"),
        (f"{found.observed:.0%}", "judged alike"),
        (f"{found.judged:,}", "passages both judged"),
    ]
    shown = (element("div", element("b", number), element("span", said)) for number, said in facts)
    return element("div", *shown, class_="ae-facts")


def _disagreements(on: Bench, found: lab_core.Agreement, first: str, second: str) -> None:
    st.html(
        element(
            "div", f"{words.count(len(found.disagreements), 'disagreement')}, widest first", class_="ae-rule"
        )
    )
    for number, miss in enumerate(found.disagreements[:_MOST]):
        with st.container(gap="xxsmall"):
            if st.button(
                words.plain(on.workspace.citation(miss.item)), key=f"miss.{number}", type="tertiary"
            ):
                drawer.show(on.workspace, miss.item, (), miss.question)
            said = f"{first}: {_WORDS[min(miss.grade_a, 2)]} · {second}: {_WORDS[min(miss.grade_b, 2)]}"
            st.html(element("div", f"{said} · {words.clip(miss.question, 120)}", class_="ae-quiet"))
    if len(found.disagreements) > _MOST:
        st.caption(f"and {len(found.disagreements) - _MOST:,} more")


# --- the question file ----------------------------------------------------------------------------


def _export(on: Bench) -> None:
    if not on.questions:
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        who = st.selectbox(
            "Marks of",
            [EVERYONE, *on.labellers],
            format_func=lambda name: name or "everyone, the median",
            key="export.who",
            width=240,
        )
        questions = on.of(who)
        st.download_button(
            f"Export {words.count(len(questions), 'question')}",
            lambda: on.lab.exported(who).encode(),
            f"{words.file_part(on.workspace.name)} questions.jsonl",
            "application/jsonl",
            icon=":material/download:",
            on_click="ignore",
            disabled=not questions,
        )


def import_(on: Bench) -> None:
    """A question file of one's own, and the sample deal's."""
    key = state.turn("question_file")

    def take() -> None:
        upload = state.typed(key)
        if upload is not None:
            _import(on, upload.getvalue(), on.me)
        state.renew("question_file")

    st.file_uploader(
        "Import a question file (JSONL)",
        type=("jsonl", "json", "txt"),
        key=key,
        on_change=take,
        max_upload_size=_LARGEST_MB,
        help='One object a line: {"id", "question", "gold": [{"document": "X.pdf", "page": 12, "quote": '
        '"…"}]}. The marks become yours.',
    )
    sample_button(on)
    told(on)


def sample_button(on: Bench, primary: bool = False) -> None:
    text, number = sample.answerable(on.desk.documents)
    if number and _SAMPLE not in on.labellers:
        st.button(
            f"Import the sample deal's {words.count(number, 'question')}",
            type="primary" if primary else "secondary",
            on_click=_import,
            args=(on, text.encode(), _SAMPLE),
            help="Questions on the sample documents with the places of their answers, as marks of "
            f"“{_SAMPLE}”",
        )


def told(on: Bench) -> None:
    """What came of the last import."""
    if problem := state.remembered("import.problem"):
        st.error(words.plain(problem), icon=":material/error:")
    elif done := state.remembered("import.done"):
        st.success(words.plain(done), icon=":material/check:")


def _import(on: Bench, data: bytes, who: str) -> None:
    state.remember("import.done", "")
    try:
        number = marks.undoable(on.workspace, lambda: on.lab.imported(data.decode("utf-8-sig"), who))
        state.remember("import.problem", "")
        state.remember("import.done", f"Imported {words.count(int(number), 'mark')} as {who}'s.")
    except UnicodeDecodeError:
        state.remember("import.problem", "The file is not UTF-8 text; save it as UTF-8 and import it again.")
    except AethelError as error:
        state.remember("import.problem", f"{error} Nothing was imported.")
