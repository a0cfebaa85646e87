"""The corpus at a glance: groups of names that belong together, and which documents share which names."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from aethel_core import workspace as core
from pages._ui import html, overview_charts, state, words
from pages._ui.html import element

_MEMBERS, _DOCUMENTS, _LABEL = 8, 4, 40


def draw(
    workspace: core.Workspace, corpus: str, entity: Callable[[str], None], passage: Callable[[str], None]
) -> None:
    with st.spinner("Reading how names occur together …"):
        groups = state.communities(workspace, corpus)
        found = state.corpus_map(workspace, corpus)
    names = {document: place.short(_LABEL) for document, place in workspace.evidence.documents().items()}
    st.subheader("Which documents speak of the same names", anchor=False)
    _map(found, names, entity)
    st.subheader("Groups of names that keep occurring together", anchor=False)
    if not groups:
        st.html(element("p", "Too few names occur together to form groups.", class_="ae-lead"))
    for row in range(0, len(groups), 3):
        for column, described in zip(st.columns(3, gap="medium"), groups[row : row + 3], strict=False):
            with column, st.container(border=True, height="stretch"):
                _group(workspace, described, names, entity, passage)


def _group(
    workspace: core.Workspace,
    described: core.DescribedCommunity,
    names: dict[str, str],
    entity: Callable[[str], None],
    passage: Callable[[str], None],
) -> None:
    group = described.community
    size = f"{words.count(group.size, 'name')} · {words.count(group.passages, 'passage')}"
    st.html(html.join(element("b", group.label), element("div", size, class_="ae-quiet")))
    for number, sentence in enumerate(described.summary):
        st.html(element("p", f"“{words.clip(sentence.text, 260)}”", class_="ae-quote"))
        if st.button(
            words.plain(workspace.citation(sentence.passage_id)),
            key=f"group.{group.members[0].id}.{number}",
            type="tertiary",
        ):
            passage(sentence.passage_id)
    key = f"group.members.{group.members[0].id}"
    members = {member.id: member.name for member in group.members[:_MEMBERS]}
    chosen = st.pills(
        "Names",
        list(members),
        format_func=lambda e: words.plain(words.clip(members[e], 34)),
        key=state.turn(key),
        label_visibility="collapsed",
        wrap=True,
    )
    documents = [f"{names.get(d, d)} ({n})" for d, n in group.documents[:_DOCUMENTS]]
    left = len(group.documents) - _DOCUMENTS
    documents += [f"{words.count(left, 'more', 'more')}"] if left > 0 else []
    st.html(element("div", " · ".join(documents), class_="ae-quiet"))
    if chosen:
        state.renew(key)
        entity(chosen)


def _map(found: core.CorpusMap, names: dict[str, str], entity: Callable[[str], None]) -> None:
    if not found.entities:
        st.html(element("p", "No two documents share a name that tells them apart.", class_="ae-lead"))
        return
    key = state.turn("corpus.map")
    with st.container(key="corpus-map"):
        chosen = st.plotly_chart(
            overview_charts.corpus_map(found, names),
            key=key,
            on_select="rerun",
            selection_mode="points",
            config={"displayModeBar": False},
        )
    st.caption(
        "A square is a document that names it; the darker, the more passages. Choose one to see the name."
    )
    if chosen.selection.points:
        state.renew("corpus.map")
        entity(found.entities[int(chosen.selection.points[0]["x"])].id)
    with st.expander("The closest documents"):
        st.html(_links(found, names))


def _links(found: core.CorpusMap, names: dict[str, str]) -> html.Html:
    known = {entity.id: entity.name for entity in found.entities}
    rows = [
        element(
            "tr",
            element("td", names.get(link.one, link.one)),
            element("td", names.get(link.other, link.other)),
            element("td", f"{link.names:,}", class_="ae-num"),
            element("td", ", ".join(known[e] for e in link.shared if e in known), class_="ae-quiet"),
        )
        for link in found.links[:25]
    ]
    heads = ("Document", "Document", "Names shared", "Among them")
    head = element("tr", *(element("th", name) for name in heads))
    return element("table", element("thead", head), element("tbody", *rows), class_="ae-queue")
