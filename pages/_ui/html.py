"""The only place where HTML is made. Everything that is not `Html` already is escaped.

Documents are untrusted: a filing's text, a file's name, a question all pass through
`element` as plain strings and cannot become markup.
"""

from __future__ import annotations

from html import escape

_VOID = frozenset({"br", "hr", "wbr"})


class Html(str):
    """Markup made by this module."""

    __slots__ = ()


Child = Html | str


def _safe(child: Child) -> str:
    return child if isinstance(child, Html) else escape(child, quote=True)


def element(name: str, *children: Child, **attributes: str) -> Html:
    """``<name attributes>children</name>``; ``class_`` and ``aria_label`` lose or turn their underscores."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value, quote=True)}"'
        for key, value in attributes.items()
    )
    if name in _VOID:
        return Html(f"<{name}{written}>")
    return Html(f"<{name}{written}>{''.join(map(_safe, children))}</{name}>")


def join(*children: Child) -> Html:
    return Html("".join(map(_safe, children)))


def marked(text: str, spans: tuple[tuple[int, int], ...]) -> Html:
    """`text` with the spans (ascending, disjoint) in ``<mark>``."""
    parts: list[Child] = []
    at = 0
    for start, end in spans:
        parts += [text[at:start], element("mark", text[start:end])]
        at = end
    return join(*parts, text[at:])
