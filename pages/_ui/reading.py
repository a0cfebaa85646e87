"""How a document was read, page by page: the image beside text and tables, so that trust can be earned."""

from __future__ import annotations

import streamlit as st

from aethel_core import workspace as core
from aethel_core.types import Block, Document, Page, Passage, PassageKind
from pages._ui import cited, html, state, tables, viewer, words, work
from pages._ui.html import Html, element

_SOURCES = {
    "text": "Read from the text in the PDF.",
    "ocr": "A scan, read by character recognition. Check its figures against the image.",
    "none": "Nothing could be read on this page.",
}
_AS = ("As read", "As passages")


def show(workspace: core.Workspace, document: Document) -> None:
    number = min(max(state.view().page, 1), document.page_count)
    st.button("Back to all documents", type="tertiary", icon=":material/arrow_back:", on_click=close)
    _heading(workspace, document)
    _summary(workspace, document)
    way = _controls(document, number)
    page = workspace.page(document.id, number)
    passages = workspace.passages(document.id, number)
    grid = st.grid(2, min_column_width=460, gap="medium")
    with grid.cell():
        rects = tuple(rect for passage in passages for rect in passage.rects) if way == _AS[1] else ()
        viewer.draw(workspace, document.id, number, f"Page {number} of {document.name}", rects)
    with grid.cell():
        st.html(_source(page))
        st.html(_passages(passages) if way == _AS[1] else _blocks(page))


def close() -> None:
    state.change(reading="", page=0)


def _heading(workspace: core.Workspace, document: Document) -> None:
    metadata = document.metadata
    facts = [
        metadata.type.value,
        metadata.period.label,
        f"period ended {metadata.period.end}" if metadata.period.end else "",
        metadata.ticker,
        words.count(document.page_count, "page"),
        words.count(document.table_count, "table"),
        words.size(document.size),
    ]
    st.html(
        html.join(
            element("h1", metadata.company or metadata.title or document.name, class_="ae-title"),
            element("div", " · ".join(filter(None, [*facts, document.name])), class_="ae-quiet"),
        )
    )
    if metadata.aliases:
        st.html(element("div", f"Also known as {', '.join(metadata.aliases)}", class_="ae-quiet"))
    for warning in document.warnings:
        st.warning(words.plain(warning), icon=":material/warning:")
    if document.version_of:
        work.version(workspace, document.id, "This is another version of a document that is here too.")


def _summary(workspace: core.Workspace, document: Document) -> None:
    """A long document in its own sentences and rows; a click on one opens its page."""
    key = (document.id, workspace.revision())
    summary = state.measured(workspace, "summary", key, lambda: workspace.summary(document.id))
    if not summary.sentences:
        return
    title = f"In short: {words.count(len(summary.sentences), 'sentence or row', 'sentences and rows')}"
    with st.expander(
        f"{title} of {summary.tokens:,} tokens", key="reading.summary", on_change="rerun"
    ) as opened:
        if not opened.open:
            return
        st.caption(
            "What tells an indicator or result, as it stands in the document. With Summaries switched on in "
            "Compare, this is what the document is found by."
        )
        pages = {sentence.passage_id: sentence.page for sentence in summary.sentences}
        said = [
            cited.Said(
                sentence.text,
                (cited.Mark(f"p. {sentence.page}", f"Open page {sentence.page}", sentence.passage_id),),
                block=number,
            )
            for number, sentence in enumerate(summary.sentences)
        ]
        chosen = cited.draw(said, f"summary.{document.id}")
    if chosen and pages[chosen] != state.view().page:
        state.change(page=pages[chosen])
        st.rerun()


def _controls(document: Document, number: int) -> str:
    def turn(to: int) -> None:
        state.change(page=to)

    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.button("Previous page", shortcut="Left", disabled=number <= 1, on_click=turn, args=(number - 1,))
        st.number_input(
            f"Page (of {document.page_count:,})",
            1,
            document.page_count,
            key=state.controlled("reading.page", number),
            on_change=lambda: turn(state.typed("reading.page")),
            width=130,
        )
        st.button(
            "Next page",
            shortcut="Right",
            disabled=number >= document.page_count,
            on_click=turn,
            args=(number + 1,),
        )
        st.space("stretch")
        return st.segmented_control(
            "Show", _AS, default=_AS[0], required=True, key="reading.way", label_visibility="collapsed"
        )


def _source(page: Page) -> Html:
    warnings = [element("li", warning) for warning in page.warnings]
    said = _SOURCES.get(page.source, page.source)
    return html.join(
        element("div", said, class_="ae-quiet"), element("ul", *warnings) if warnings else Html("")
    )


def _blocks(page: Page) -> Html:
    return element("div", *map(_block, page.blocks), class_="ae-page-text")


def _block(block: Block) -> Html:
    if block.table is not None and block.table.rows:
        return tables.full(block.table)
    if block.kind == "heading":
        return element("h4", block.text)
    return element("p", block.text)


def _passages(passages: tuple[Passage, ...]) -> Html:
    if not passages:
        return element("p", "No passage starts on this page.", class_="ae-quiet")
    return element("div", *map(_passage, passages), class_="ae-page-text")


def _passage(passage: Passage) -> Html:
    about = [passage.section, "table" if passage.kind is PassageKind.TABLE else "prose"]
    about += [statement.value for statement in passage.statements]
    return element(
        "section",
        element("div", " · ".join(filter(None, about)), class_="ae-rule"),
        tables.full(passage.table)
        if passage.table is not None and passage.table.rows
        else element("p", passage.text),
    )
