"""What if: switch seeds and noisy entities off, add a start, and see the ranking change."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from aethel_core import workspace as core
from aethel_core.types import Query
from pages._ui import drawer, entities, moves, state, words
from pages._ui.html import element

_SEEDS = 24


def draw(workspace: core.Workspace, corpus: str, query: Query, retriever: str, k: int) -> None:
    before = state.traced(workspace, corpus, query, retriever, k)
    changed = _changed(query)
    after = state.traced(workspace, corpus, changed, retriever, k)
    left, right = st.columns([2, 3], gap="large")
    with left:
        _seeds(workspace, before, after, query)
        _add(workspace, retriever, query)
        _noise(workspace, before, query)
        _corrections(workspace)
    with right:
        places = before.places | after.places
        ids = (*before.ranking.ids, *after.ranking.ids)
        labels = {p: (f"p. {places[p].page} · {places[p].short(24)}", places[p].citation) for p in ids}
        with st.container(horizontal=True, vertical_alignment="center"):
            st.html(element("div", "The ranking", class_="ae-rule"), width="stretch")
            st.button(
                "Start over",
                disabled=changed == query,
                on_click=lambda: state.remember("whatif", {}),
                help="Everything on, nothing added; what is muted in the workspace stays muted",
            )
        opened = moves.draw(before.ranking, after.ranking, labels)
        if opened:
            drawer.show(workspace, opened, after.ranking.ids)


def _choice(query: Query) -> tuple[frozenset[str], frozenset[str]]:
    """What was switched off and added for this question."""
    kept = state.remembered("whatif", {})
    if kept.get("question") != query.text:
        return frozenset(), frozenset()
    return kept["muted"], kept["added"]


def _changed(query: Query) -> Query:
    muted, added = _choice(query)
    return replace(query, muted=query.muted | muted, added=query.added | added)


def _keep(query: Query, muted: frozenset[str], added: frozenset[str]) -> None:
    state.remember("whatif", {"question": query.text, "muted": muted, "added": added})


def _seeds(workspace: core.Workspace, before: core.Traced, after: core.Traced, query: Query) -> None:
    st.html(element("div", "Where the walks start", class_="ae-rule"))
    nodes = {(seed.name, seed.kind): seed for seed in (*after.seeds, *before.seeds)}
    if not nodes:
        st.html(element("p", before.note or "Nowhere yet.", class_="ae-quiet"))
        return
    shown = {seed.entity_id: _seed(seed.name, seed.kind) for seed in list(nodes.values())[:_SEEDS]}
    _switches(workspace, query, "whatif.seeds", "Where the walks start", shown)
    st.caption("Switch one off to take it out of the walk.")
    if len(nodes) > len(shown):
        st.caption(f"And {len(nodes) - len(shown)} more, which are other names of these.")


def _switches(workspace: core.Workspace, query: Query, key: str, label: str, shown: dict[str, str]) -> None:
    """One switch per entity; off means: left out of the walk for this question, in all its forms."""
    muted, added = _choice(query)

    def switched() -> None:
        on = set(state.typed(key))
        kept = muted - workspace.evidence.alike(on)
        off = workspace.evidence.alike([entity for entity in shown if entity not in on])
        _keep(query, kept | off, added)

    st.pills(
        label,
        list(shown),
        selection_mode="multi",
        format_func=lambda entity: words.plain(shown[entity]),
        key=state.controlled(key, [entity for entity in shown if entity not in muted]),
        on_change=switched,
        label_visibility="collapsed",
        wrap=True,
    )


def _seed(name: str, kind: str) -> str:
    return words.clip(name, 40) if kind == "name" else f"{words.clip(name, 40)} ({kind})"


def _add(workspace: core.Workspace, retriever: str, query: Query) -> None:
    muted, added = _choice(query)
    entities.search(
        workspace,
        "whatif.add",
        "Start from another entity too",
        lambda entity: _keep(query, muted - {entity.id}, added | {entity.id}),
        retriever=retriever,
    )


def _noise(workspace: core.Workspace, before: core.Traced, query: Query) -> None:
    st.html(element("div", "Entities that draw in noise", class_="ae-rule"))
    muted, _ = _choice(query)
    noise = {entity.entity_id: entity for entity in before.noise}
    if not noise:
        st.html(element("p", "None: nothing the walk goes over is everywhere.", class_="ae-quiet"))
        return
    shown = {entity: _noisy(found) for entity, found in noise.items()}
    _switches(workspace, query, "whatif.noise", "Entities that draw in noise", shown)
    st.caption(
        "Name, passages that hold it, share of the walk that goes over it. Switch one off to leave it out."
    )
    off = [entity for entity in noise if entity in muted]
    if off:
        st.button(
            words.plain(f"Mute {_list([noise[e].name for e in off])} in this workspace"),
            icon=":material/volume_off:",
            on_click=_mute,
            args=(workspace, query, tuple(off)),
            help="For every question and every retriever that walks the graph; to be undone below",
        )


def _mute(workspace: core.Workspace, query: Query, off: tuple[str, ...]) -> None:
    for entity in off:
        workspace.evidence.mute(entity)
    muted, added = _choice(query)
    _keep(query, muted - workspace.evidence.alike(off), added)


def _noisy(entity: core.NoisyEntity) -> str:
    start = ", a start" if entity.seed else ""
    return f"{words.clip(entity.name, 36)} · {entity.passages:,} · {entity.flow:.1%}{start}"


def _list(names: list[str]) -> str:
    """ "A", "A and B", "A, B and 2 more" """
    if len(names) > 2:
        return f"{names[0]}, {names[1]} and {len(names) - 2} more"
    return " and ".join(names)


def _corrections(workspace: core.Workspace) -> None:
    found = workspace.evidence.corrections()
    if not (found.muted or found.merged or found.apart):
        return
    st.html(element("div", "Corrections in this workspace", class_="ae-rule"))
    for entity in found.muted:
        _undo(f"{entity.name} is muted", f"undo.{entity.id}", workspace.evidence.undo, (entity.id,))
    for one, other in found.merged:
        said = f"{one.name} is the same as {other.name}"
        _undo(said, f"undo.{one.id}", workspace.evidence.undo, (one.id,))
    for one, other in found.apart:
        said = f"{found.written[one]} is not {found.written[other]}"
        _undo(said, f"undo.{one}|{other}", workspace.evidence.keep_apart, (one, other, False))


def _undo(said: str, key: str, undo, args: tuple) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.html(element("div", said), width="stretch")
        st.button("Undo", key=key, on_click=undo, args=args)
