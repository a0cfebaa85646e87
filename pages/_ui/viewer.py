"""A page of a document as an image, with passages highlighted."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

import streamlit as st

from aethel_core import workspace as core
from aethel_core.types import Rect
from pages._ui import state

_HERE = Path(__file__).parent
_component = st.components.v2.component(
    "aethel_viewer",
    js=(_HERE / "viewer.js").read_text("utf-8"),
    css=(_HERE / "viewer.css").read_text("utf-8"),
)
_ZOOM = 2.0  # sharp up to 150 % on screen, and still under a megabyte


def draw(
    workspace: core.Workspace, document: str, number: int, alt: str, highlights: tuple[Rect, ...] = ()
) -> None:
    """Show page `number`; it opens scrolled to the first of `highlights`."""
    page = workspace.page(document, number)
    png = state.page_image(workspace, document, number, _ZOOM, highlights)
    first = min(highlights, key=lambda rect: rect.y0, default=None)
    focus = [first.x0 / page.width, first.y0 / page.height] if first and page.width and page.height else None
    _component(
        data={"png": b64encode(png).decode("ascii"), "alt": alt, "width": page.width, "focus": focus},
        key=f"viewer.{document}.{number}",
    )
