"""Home: what is this, and where was I?"""

from __future__ import annotations

from collections import Counter

import streamlit as st

from aethel_core.errors import AethelError
from aethel_core.types import DocumentType
from aethel_core.workspace.recent import RecentMemo, recent_memos
from pages._ui import frame, sample, state, words, work
from pages._ui.html import Html, element
from pages._ui.memo import paper

_COMPANIES, _MEMOS = 14, 6
_STEPS = (
    (
        "Add documents",
        "Filings, LP letters, statements; one by one or a whole folder. Aethel reads text, tables and "
        "scans, and recognises company, period and type.",
    ),
    (
        "Ask a question",
        "Several retrievers answer side by side. You see what each found, where they agree, and why a "
        "passage is there.",
    ),
    (
        "Check the page",
        "One click on a citation opens the page with the passage highlighted. Every hit has one.",
    ),
)


def main(desk: frame.Desk) -> None:
    if desk.documents:
        _where_i_was(desk)
    else:
        _newcomer(desk)


def _newcomer(desk: frame.Desk) -> None:
    st.title("Read a data room by asking it", anchor=False)
    st.html(
        element(
            "p",
            "Aethel searches a deal's documents in several ways at once and shows the evidence for every "
            "answer, down to the page.",
            class_="ae-lead",
        )
    )
    st.html(_steps())
    work.panel(desk.workspace)
    if state.jobs().busy(desk.workspace.path):
        return
    with st.container(horizontal=True, gap="small"):
        if st.button("Add documents", type="primary"):
            frame.go("library")
        _load_sample(desk)


def _steps() -> Html:
    return element(
        "ol",
        *(
            element("li", element("b", f"{number}. {title}"), element("p", said))
            for number, (title, said) in enumerate(_STEPS, start=1)
        ),
        class_="ae-steps",
    )


def _load_sample(desk: frame.Desk) -> None:
    if sample.files():
        st.button(
            "Load the sample deal",
            on_click=_take_sample,
            args=(desk,),
            help="A fund family with letters, statements, a filing and a credit agreement, made up for this",
        )
    if problem := state.remembered("sample_problem"):
        st.error(words.plain(problem), icon=":material/error:")


def _take_sample(desk: frame.Desk) -> None:
    try:
        sample.load(desk.workspace if not desk.documents else None)
        state.remember("sample_problem", "")
    except AethelError as error:
        state.remember("sample_problem", str(error))


# --- with documents -------------------------------------------------------------------------------


def _where_i_was(desk: frame.Desk) -> None:
    st.title(words.plain(desk.workspace.name), anchor=False)
    st.html(_facts(desk))
    work.panel(desk.workspace)
    grid = st.grid(2, min_column_width=460, gap="large")
    with grid.cell():
        st.subheader("Recent questions", anchor=False)
        _questions(desk)
    with grid.cell():
        st.subheader("Recent memos", anchor=False)
        _memos(desk)
        st.subheader("Documents", anchor=False)
        st.html(_companies(desk))
        with st.container(horizontal=True, gap="small"):
            if st.button("Open the Library"):
                frame.go("library")
            if desk.workspace.name != sample.WORKSPACE:
                _load_sample(desk)


def _facts(desk: frame.Desk) -> Html:
    counts = desk.workspace.counts()
    years = sorted({d.metadata.period.fiscal_year for d in desk.documents} - {None})
    companies = {d.metadata.company for d in desk.documents} - {""}
    facts = [
        (f"{counts.documents:,}", "documents"),
        (f"{len(companies):,}", "companies and funds"),
        (f"{years[0]}–{years[-1]}" if len(years) > 1 else "".join(map(str, years)) or "–", "fiscal years"),
        (f"{counts.pages:,}", "pages"),
        (f"{counts.passages:,}", "passages"),
        (f"{sum(d.table_count for d in desk.documents):,}", "of them tables"),
    ]
    shown = (element("div", element("b", number), element("span", name)) for number, name in facts)
    return element("div", *shown, class_="ae-facts")


def _questions(desk: frame.Desk) -> None:
    entries = desk.workspace.history(12)
    if not entries:
        st.html(element("p", "No question has been asked here yet.", class_="ae-lead"))
        if st.button("Ask the first question", type="primary"):
            frame.go("compare")
        return
    for entry in entries:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            if st.button(
                words.plain(words.clip(entry.question, 110)),
                key=f"question.{entry.id}",
                type="tertiary",
                on_click=frame.reopen,
                args=(entry,),
            ):
                frame.go("compare")
            st.space("stretch")
            st.html(element("span", words.when(entry.at), class_="ae-quiet"), width="content")
    if st.button("Ask another question", type="primary", on_click=lambda: state.change(question="")):
        frame.go("compare")


def _memos(desk: frame.Desk) -> None:
    found = recent_memos(desk.workspace, state.memo_desk(desk.workspace), _MEMOS)
    if not found:
        said = "No memo has been written here yet. The specialists draft one with every figure checked."
        st.html(element("p", said, class_="ae-lead"))
        if st.button("Write the first memo"):
            frame.go("memo")
        return
    for number, memo in enumerate(found):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            if st.button(
                words.plain(words.clip(memo.title, 80)),
                key=f"memo.recent.{number}",
                type="tertiary",
                on_click=paper.show,
                args=(desk.workspace, memo.name),
                help=words.plain(memo.problem) or None,
            ):
                frame.go("memo")
            st.space("stretch")
            st.html(_status(memo), width="content")


def _status(memo: RecentMemo) -> Html:
    when = f"{words.when(memo.at)}{', edited since' if memo.edited else ''}"
    if memo.problem:
        said = element("span", "cannot be opened", class_="ae-warn")
    elif memo.status is None:
        said = element("span", "not audited since it changed")
    elif not memo.status.sentences:
        said = element("span", "no draft yet")
    elif memo.status.flagged:
        of = words.count(memo.status.sentences, "sentence")
        said = element("span", f"⚑ {memo.status.flagged:,} of {of} flagged", class_="ae-warn")
    else:
        said = element("span", f"✓ {words.count(memo.status.sentences, 'sentence')}, none flagged")
    return element("span", said, f" · {when}", class_="ae-quiet")


def _companies(desk: frame.Desk) -> Html:
    """How many documents there are of each company, by type."""
    of: dict[str, Counter[str]] = {}
    for document in desk.documents:
        kind = document.metadata.type
        noun = "other document" if kind is DocumentType.OTHER else kind.value
        of.setdefault(document.metadata.company or "Company not known", Counter())[noun] += 1
    rows = []
    for company in sorted(of, key=str.casefold)[:_COMPANIES]:
        kinds = ", ".join(words.count(number, noun) for noun, number in sorted(of[company].items()))
        rows.append(element("tr", element("td", company), element("td", kinds, class_="ae-quiet")))
    if len(of) > _COMPANIES:
        rows.append(element("tr", element("td", f"and {len(of) - _COMPANIES} more", colspan="2")))
    return element("table", element("tbody", *rows), class_="ae-queue")


main(frame.enter())
