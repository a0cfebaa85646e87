"""What a session remembers and what the server keeps: the only user of st.session_state and st.cache_*.

A session remembers one `View` (the URL says the same) and a few things that are not worth a
link. The server keeps open workspaces, running ingests, comparisons and page images; each is
keyed by everything that shaped it, bounded, and never changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import streamlit as st

from aethel_core import workspace as core
from aethel_core.errors import InvalidInput
from aethel_core.types import Filters, Query, Rect
from aethel_core.workspace import memos, models
from pages._ui import link
from pages._ui.jobs import Jobs
from pages._ui.lab_runs import LabRuns
from pages._ui.link import View

_VIEW, _PUBLISHED, _FRAMED = "aethel.view", "aethel.published", "aethel.framed"
_PREFIX = "aethel."


# --- the view and the URL -------------------------------------------------------------------


def view() -> View:
    return st.session_state.setdefault(_VIEW, View())


def change(**fields: Any) -> None:
    """Change the view; call it from a callback, so that the run that follows shows and publishes it.
    Chips switched for one question are forgotten with the next."""
    now = view()
    if fields.get("question", now.question) != now.question and "switches" not in fields:
        fields["switches"] = now.switches.for_another_question()
    st.session_state[_VIEW] = replace(now, **fields)


def change_filters(**fields: Any) -> None:
    st.session_state[_VIEW] = view().with_filters(**fields)


def adopt_url() -> None:
    """Take the view from the URL when someone else wrote it: a deep link, the back button, a shared link.

    Moving between screens empties the query string; an empty one therefore changes nothing.
    """
    found = {name: st.query_params.get_all(name) for name in st.query_params}
    if found and found != st.session_state.get(_PUBLISHED):
        st.session_state[_VIEW] = link.from_parameters(found)


def publish_url() -> None:
    wanted = link.to_parameters(view())
    if wanted != {name: st.query_params.get_all(name) for name in st.query_params}:
        st.query_params.from_dict(wanted)
    st.session_state[_PUBLISHED] = wanted


# --- small things a session remembers ---------------------------------------------------------


def remembered(name: str, default: Any = None) -> Any:
    return st.session_state.get(_PREFIX + name, default)


def remember(name: str, value: Any) -> None:
    st.session_state[_PREFIX + name] = value


def controlled(key: str, value: Any) -> str:
    """Give the widget `key` the value the view has, whenever that changed; returns `key`.

    Only then: writing on every run would wipe what a person is typing into a form.
    """
    shadow = f"{_PREFIX}shadow.{key}"
    if key not in st.session_state or st.session_state.get(shadow) != value:
        st.session_state[key] = value
    st.session_state[shadow] = value
    return key


def hand_over(query: Query, retriever: str, passage: str, hits: int) -> None:
    """Have Evidence explain this hit, among so many, of this query, however the view's question would be
    asked there."""
    remember("evidence.from", (view().question, view().filters, query, passage))
    remember("evidence.retriever", retriever)
    remember("evidence.k", next((k for k in link.K_CHOICES if k >= hits), link.K_CHOICES[-1]))
    remember("evidence.view", "")


def handed_over() -> tuple[Query, str] | None:
    """The query and the hit that Evidence was asked to explain, while question and filters stay."""
    kept = remembered("evidence.from")
    if kept is None or kept[:2] != (view().question, view().filters):
        return None
    return kept[2:]


def typed(key: str) -> Any:
    """What the widget `key` holds; for callbacks."""
    return st.session_state.get(key)


def turn(name: str) -> str:
    """A widget key that `renew` replaces, which is how an uploader or an editor is emptied."""
    return f"{name}.{remembered('turn.' + name, 0)}"


def renew(name: str) -> None:
    remember("turn." + name, remembered("turn." + name, 0) + 1)


@contextmanager
def framed() -> Iterator[None]:
    """Around the run of a screen inside the frame; `is_framed` is true just there."""
    st.session_state[_FRAMED] = True
    try:
        yield
    finally:
        del st.session_state[_FRAMED]


def is_framed() -> bool:
    return _FRAMED in st.session_state


# --- what the server keeps ---------------------------------------------------------------------


@st.cache_resource(show_spinner=False)
def jobs() -> Jobs:
    return Jobs()


@st.cache_resource(show_spinner=False)
def lab_runs() -> LabRuns:
    return LabRuns()


@st.cache_resource(show_spinner=False)
def model_keys() -> dict[str, str]:
    """Keys typed on the screen, by the name of their setting: held as long as the server runs, and
    written nowhere."""
    return {}


def settings() -> core.Settings:
    """What the environment says, with the models that were chosen on the screen."""
    try:
        return models.chosen(core.settings(), model_keys())
    except InvalidInput:
        return core.settings()  # the Settings screen says what is wrong with the choice


@st.cache_resource(max_entries=16, show_spinner="Opening the workspace …")
def _open(path: str) -> core.Workspace:
    return core.Workspace.open(Path(path), settings(), create=False)


def opened(path: Path) -> core.Workspace:
    return _open(str(path))


@st.cache_resource(max_entries=16, show_spinner=False)
def _memo_desk(path: str) -> memos.MemoDesk:
    return memos.MemoDesk(_open(path))


def memo_desk(workspace: core.Workspace) -> memos.MemoDesk:
    return _memo_desk(str(workspace.path))


@st.cache_resource(show_spinner=False)
def crews() -> dict[Path, Any]:
    """The specialists at work or just finished, by workspace."""
    return {}


def forget_workspaces() -> None:
    """After a workspace was renamed, deleted or restored: open afresh what is asked for next."""
    _open.clear()
    _memo_desk.clear()


@st.cache_resource(max_entries=64, show_spinner=False)
def _cached(kind: str, key: tuple[Any, ...], _make: Callable[[], Any]) -> Any:
    return _make()


def comparison(
    workspace: core.Workspace, corpus: str, query: Query, retrievers: tuple[str, ...], k: int
) -> core.Comparison:
    """`corpus` is the fingerprint of what the workspace holds, so that an edit is seen at once."""
    key = (str(workspace.path), corpus, repr(query), retrievers, k)
    return _cached("comparison", key, lambda: workspace.compare(query, retrievers, k))


def prepared(
    workspace: core.Workspace, corpus: str, question: str, switches: core.Switches, filters: Filters
) -> core.Prepared:
    """What is made of the question. Kept, so that a model is asked once, and one that failed only
    after `retry`."""
    key = (str(workspace.path), corpus, question, repr(switches), repr(filters), remembered("tries", 0))
    return _cached("prepared", key, lambda: workspace.prepare(question, switches, filters))


def retry() -> None:
    """Ask a model again that failed. For callbacks."""
    remember("tries", remembered("tries", 0) + 1)


def effects(
    workspace: core.Workspace,
    corpus: str,
    question: str,
    switches: core.Switches,
    filters: Filters,
    retriever: str,
    k: int,
) -> tuple[core.Effect, ...]:
    key = (str(workspace.path), corpus, question, repr(switches), repr(filters), retriever, k)
    return _cached("effects", key, lambda: workspace.effects(question, switches, filters, retriever, k))


def explanation(
    workspace: core.Workspace, corpus: str, query: Query, retriever: str, passage: str
) -> core.Explanation:
    key = (str(workspace.path), corpus, repr(query), retriever, passage)
    return _cached("explanation", key, lambda: workspace.explain(query, retriever, passage))


def _corrected(workspace: core.Workspace, corpus: str) -> tuple[str, str, str]:
    """Part of a key. A part of a page that runs alone has the corpus of the last whole run, so what
    people correct in it is asked for anew."""
    return str(workspace.path), corpus, workspace.evidence.fingerprint()


def traced(
    workspace: core.Workspace,
    corpus: str,
    query: Query,
    retriever: str,
    k: int,
    nodes: int = 150,
    per_hit: int = 3,
) -> core.Traced:
    key = (*_corrected(workspace, corpus), repr(query), retriever, k, nodes, per_hit)
    return _cached(
        "traced",
        key,
        lambda: workspace.evidence.trace(query, retriever, k, nodes=nodes, paths_per_hit=per_hit),
    )


def difference(
    workspace: core.Workspace, corpus: str, query: Query, first: str, second: str, k: int
) -> core.Difference:
    key = (*_corrected(workspace, corpus), repr(query), first, second, k)
    return _cached("difference", key, lambda: workspace.evidence.difference(query, first, second, k))


def corpus_map(workspace: core.Workspace, corpus: str) -> core.CorpusMap:
    return _cached("map", _corrected(workspace, corpus), workspace.evidence.corpus_map)


def communities(workspace: core.Workspace, corpus: str) -> tuple[core.DescribedCommunity, ...]:
    return _cached("communities", _corrected(workspace, corpus), workspace.evidence.communities)


def most_named(workspace: core.Workspace, corpus: str) -> tuple[core.KnownEntity, ...]:
    return _cached("most named", _corrected(workspace, corpus), workspace.evidence.most_named)


def entity(workspace: core.Workspace, corpus: str, entity_id: str) -> core.EntityView:
    key = (*_corrected(workspace, corpus), entity_id)
    return _cached("entity", key, lambda: workspace.evidence.entity(entity_id))


def page_image(
    workspace: core.Workspace, document: str, page: int, zoom: float, highlights: tuple[Rect, ...]
) -> bytes:
    key = (str(workspace.path), document, page, zoom, repr(highlights))
    return _cached(
        "page", key, lambda: workspace.page_image(document, page, zoom=zoom, highlights=highlights)
    )


def measured(workspace: core.Workspace, what: str, key: tuple[Any, ...], make: Callable[[], Any]) -> Any:
    """What the Evaluate screen works out of kept results and marks; `key` says what shaped it."""
    return _cached(f"measured {what}", (str(workspace.path), *key), make)


def load(workspace: core.Workspace, corpus: str, query: Query) -> memos.Load:
    key = (str(workspace.path), corpus, repr(query), workspace.evidence_limit())
    return _cached("load", key, lambda: memo_desk(workspace).load(query))


def read(workspace: core.Workspace, corpus: str, query: Query) -> memos.Read:
    key = (str(workspace.path), corpus, repr(query), workspace.evidence_limit(), remembered("tries", 0))
    return _cached("read", key, lambda: memo_desk(workspace).read(query))


def answer(workspace: core.Workspace, corpus: str, query: Query) -> memos.Answer:
    key = (str(workspace.path), corpus, repr(query))
    return _cached("answer", key, lambda: memo_desk(workspace).answer(query))
