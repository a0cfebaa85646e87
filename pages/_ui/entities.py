"""One entity on the screen: its names and what joined them, where it occurs, with whom, corrections."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from aethel_core import workspace as core
from aethel_core.errors import AethelError
from aethel_core.types import EntityKind
from pages._ui import html, overview_charts, state, words
from pages._ui.html import element

_PASSAGES, _DOCUMENTS, _PAIRS = 200, 12, 12
_WIDTH = 620
_SHOWN = {"dialog": "entity", "finder": "finder.entity"}  # by place: where it is kept which one is shown


def show(workspace: core.Workspace, corpus: str, entity_id: str) -> None:
    """In the drawer. A passage chosen in it is opened by the page, with `chosen_passage`."""
    state.remember("entity", entity_id)

    @st.dialog("Entity", width=_WIDTH, position="right", on_dismiss="rerun")
    def drawer() -> None:
        try:
            body(workspace, corpus, state.remembered("entity"), "dialog")
        except AethelError as error:
            st.error(words.plain(str(error)), icon=":material/error:")

    drawer()


def chosen_passage() -> str:
    """The passage that was asked for in the drawer, once."""
    passage = state.remembered("entity.passage", "")
    state.remember("entity.passage", "")
    return passage


def body(workspace: core.Workspace, corpus: str, entity_id: str, place: str) -> None:
    """`place` tells two of them on one screen apart."""
    view = state.entity(workspace, corpus, entity_id)
    names = {document: place.short(44) for document, place in workspace.evidence.documents().items()}
    facts = f"{view.kind} · {words.count(len(view.passages), 'passage')} in "
    facts += words.count(len(view.documents), "document")
    st.html(
        html.join(
            element("div", view.name, class_="ae-citation"),
            element("div", facts, class_="ae-quiet"),
        )
    )
    _mute(workspace, view, place)
    _neighbours(view, place)
    _names(workspace, view, place)
    left, right = st.columns(2, gap="medium")
    with left:
        st.html(element("div", "Documents", class_="ae-rule"))
        st.html(_documents(view, names))
    with right:
        st.html(element("div", "Over time", class_="ae-rule"))
        st.plotly_chart(
            overview_charts.periods(view.periods),
            config={"displayModeBar": False},
            key=f"{place}.periods.{view.id}",
        )
    _passages(workspace, view, place)


def _mute(workspace: core.Workspace, view: core.EntityView, place: str) -> None:
    muted = workspace.entity_edits().get(view.id) == ""
    label = "Muted in this workspace. Let walks use it again" if muted else "Mute in this workspace"
    st.button(
        label,
        key=f"{place}.mute.{view.id}",
        icon=":material/volume_up:" if muted else ":material/volume_off:",
        help="A muted entity is left out of every walk; the documents stay as they are.",
        on_click=workspace.evidence.undo if muted else workspace.evidence.mute,
        args=(view.id,),
    )


def _neighbours(view: core.EntityView, place: str) -> None:
    st.html(element("div", "Occurs together with", class_="ae-rule"))
    if not view.neighbours:
        st.html(element("p", "Nothing else in its passages was recognised.", class_="ae-quiet"))
        return
    known = {neighbour.id: neighbour for neighbour in view.neighbours}
    st.pills(
        "Occurs together with",
        list(known),
        format_func=lambda e: words.plain(_neighbour(known[e])),
        key=f"{place}.neighbours.{view.id}",
        on_change=lambda: _go_on(f"{place}.neighbours.{view.id}", place),
        label_visibility="collapsed",
        wrap=True,
        help="The number says how many passages hold both",
    )


def _neighbour(neighbour: core.Neighbour) -> str:
    kind = "" if neighbour.kind == EntityKind.NAME else f", {neighbour.kind}"
    return f"{words.clip(neighbour.name, 40)}{kind} · {neighbour.shared:,}"


def _go_on(key: str, place: str) -> None:
    if state.typed(key):
        state.remember(_SHOWN[place], state.typed(key))


def _names(workspace: core.Workspace, view: core.EntityView, place: str) -> None:
    company = view.kind == EntityKind.COMPANY
    several = "Registrants taken for one" if company and view.pairs else "Other names"
    st.html(element("div", several, class_="ae-rule"))
    if view.kind != EntityKind.NAME:
        said = f"A {view.kind} is joined to every passage it governs; what governs a document is said, and "
        said += "corrected, in the Library."
        st.html(element("p", said, class_="ae-quiet"))
        if not view.pairs:
            return
    elif not view.pairs:
        st.html(element("p", "No other name was found for it.", class_="ae-quiet"))
    every = f"{place}.every name.{view.id}"
    shown = view.pairs if state.remembered(every) else view.pairs[:_PAIRS]
    for number, pair in enumerate(shown):
        own = pair.one == view.key
        other = pair.other_name if own else f"{pair.one_name} = {pair.other_name}"
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            rule = _nearness(view, pair) if pair.near else pair.rule
            st.html(
                element("div", element("b", other), " ", element("span", rule, class_="ae-quiet")),
                width="stretch",
            )
            _split(workspace, view, pair, place, number)
    if len(view.pairs) > _PAIRS:
        st.button(
            "Show fewer names" if state.remembered(every) else f"Show all {len(view.pairs)} names",
            key=f"{every}.button",
            type="tertiary",
            on_click=lambda: state.remember(every, not state.remembered(every)),
        )
    if not company:
        _join(workspace, view, place)


def _nearness(view: core.EntityView, pair: core.AliasPair) -> str:
    return "contains this name" if f" {view.key} " in f" {pair.other} " else "is part of this name"


def _split(
    workspace: core.Workspace, view: core.EntityView, pair: core.AliasPair, place: str, number: int
) -> None:
    key = f"{place}.split.{view.id}.{number}"
    if pair.rule == core.JOINED_BY_HAND:
        st.button(
            "Undo",
            key=key,
            on_click=workspace.evidence.undo,
            args=(f"{EntityKind.NAME.value}:{pair.other}",),
        )
    else:
        st.button(
            "Not the same",
            key=key,
            help="No rule joins these two names any more; to be undone under What if",
            on_click=_keep_apart,
            args=(workspace, view, pair, place),
        )


def _keep_apart(workspace: core.Workspace, view: core.EntityView, pair: core.AliasPair, place: str) -> None:
    workspace.evidence.keep_apart(pair.one, pair.other)
    if view.kind == EntityKind.COMPANY:  # it is two nodes now: go on with the first
        state.remember(_SHOWN[place], workspace.evidence.company(pair.one))


def _join(workspace: core.Workspace, view: core.EntityView, place: str) -> None:
    with st.popover("Join with another name", icon=":material/merge:"):
        chosen = search(workspace, f"{place}.join.{view.id}", "The name that means the same", but=view.id)
        if chosen and chosen.kind != view.kind:
            st.caption(words.plain(f"{chosen.name} is a {chosen.kind}; only names can be joined."))
        elif chosen:
            st.button(
                words.plain(f"{view.name} is the same as {chosen.name}"),
                key=f"{place}.joined.{view.id}",
                type="primary",
                on_click=_joined,
                args=(workspace, view.id, chosen.id, place),
            )


def _joined(workspace: core.Workspace, entity_id: str, into: str, place: str) -> None:
    workspace.evidence.merge(entity_id, into)
    state.remember(_SHOWN[place], into)


def _documents(view: core.EntityView, names: dict[str, str]) -> html.Html:
    most = max((count for _, count in view.documents), default=1)
    ordered = sorted(view.documents, key=lambda pair: -pair[1])
    rows = [
        element(
            "tr",
            element("td", names.get(document, document), class_="ae-file"),
            element(
                "td",
                element("span", "", class_="ae-bar", style=f"width:{count / most * 4:.2f}rem"),
                f" {count}",
                class_="ae-num",
            ),
        )
        for document, count in ordered[:_DOCUMENTS]
    ]
    if len(ordered) > _DOCUMENTS:
        rows.append(element("tr", element("td", f"and {len(ordered) - _DOCUMENTS} more", colspan="2")))
    return element("table", element("tbody", *rows), class_="ae-queue")


def _passages(workspace: core.Workspace, view: core.EntityView, place: str) -> None:
    import pandas

    shown = view.passages[:_PASSAGES]
    title = f"Passages{f' (the first {_PASSAGES:,})' if len(shown) < len(view.passages) else ''}"
    st.html(element("div", title, class_="ae-rule"))
    places = workspace.evidence.places(shown)
    held = [passage for passage in shown if passage in places]
    table = pandas.DataFrame(
        {
            "Document": [places[p].document for p in held],
            "Page": [places[p].page for p in held],
            "Text": [words.clip(places[p].text, 160) for p in held],
        }
    )
    key = state.turn(f"{place}.passages.{view.id}")
    chosen = st.dataframe(
        table,
        hide_index=True,
        key=key,
        on_select="rerun",
        selection_mode="single-row",
        height=min(38 + 35 * len(held), 320),
        column_config={
            "Document": st.column_config.TextColumn(width="medium"),
            "Page": st.column_config.NumberColumn(width="small"),
            "Text": st.column_config.TextColumn(width="large"),
        },
    )
    st.caption("Choose a row to open its page.")
    if chosen.selection.rows:
        state.renew(f"{place}.passages.{view.id}")
        state.remember("entity.passage", held[chosen.selection.rows[0]])
        st.rerun()


def search(
    workspace: core.Workspace,
    name: str,
    label: str,
    choose: Callable[[core.KnownEntity], None] | None = None,
    *,
    but: str = "",
    retriever: str = "hybrid",
) -> core.KnownEntity | None:
    """Type a part of a name, choose one of what fits. With ``choose`` that is called with the choice, and
    the field is emptied; without, the choice stays and is returned."""
    key = state.turn(name)
    typed = st.text_input(label, key=f"{key}.text", placeholder="Type a part of a name")
    if not (typed or "").strip():
        return None
    found = {e.id: e for e in workspace.evidence.suggest(typed, retriever=retriever) if e.id != but}
    if not found:
        st.caption("No entity of these documents fits.")
        return None

    def chosen_now() -> None:
        entity = found.get(state.typed(f"{key}.pills"))
        if choose is not None and entity is not None:
            choose(entity)
            state.renew(name)

    chosen = st.pills(
        "What fits",
        list(found),
        format_func=lambda e: words.plain(described(found[e])),
        key=f"{key}.pills",
        on_change=chosen_now,
        label_visibility="collapsed",
        wrap=True,
    )
    return found.get(chosen) if chosen else None


def described(entity: core.KnownEntity) -> str:
    kind = "" if entity.kind == EntityKind.NAME else f", {entity.kind}"
    return f"{words.clip(entity.name, 48)}{kind} · {entity.passages:,}"


def finder(workspace: core.Workspace, corpus: str, opened: Callable[[str], None]) -> None:
    """The Entities view of the Evidence screen."""
    left, right = st.columns([1, 2.4], gap="large")
    with left:
        search(workspace, "finder", "Find an entity", lambda e: state.remember("finder.entity", e.id))
        st.html(element("div", "In most passages", class_="ae-rule"))
        for entity in state.most_named(workspace, corpus):
            st.button(
                words.plain(described(entity)),
                key=f"finder.{entity.id}",
                type="tertiary",
                on_click=lambda e=entity.id: state.remember("finder.entity", e),
            )
    with right:
        entity_id = state.remembered("finder.entity", "")
        if not entity_id:
            said = "Find an entity to see its names, documents, neighbours and passages."
            st.html(element("p", said, class_="ae-lead"))
            return
        try:
            body(workspace, corpus, entity_id, "finder")
        except AethelError as error:
            st.info(words.plain(str(error)), icon=":material/info:")
    passage = chosen_passage()
    if passage:
        opened(passage)
