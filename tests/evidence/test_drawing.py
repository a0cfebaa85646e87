from __future__ import annotations

import io
from html.parser import HTMLParser
from itertools import pairwise
from xml.etree import ElementTree

import networkx
import pytest

from aethel_core.evidence import drawing
from aethel_core.evidence.drawing.figure import clip
from aethel_core.evidence.subgraph import Edge, Node, Role, Subgraph

PAYLOAD = "<img src=x onerror=\"document.title='stolen'\"></script><script>document.title='stolen'</script>"
NAMES = {
    "markup": PAYLOAD,
    "quotes": 'O\'Neill & "Sons" href=http://x',
    "emoji": "Rocket 🚀 Fund",
    "right to left": "\u202eصندوق النهر",
    "control": "a\x00b\x0bc\ud800d",
    "template": "{{ 7 * 7 }} {% raw %}",
    "long": "word " * 80,
}


def picture(name: str) -> drawing.Figure:
    nodes = (
        Node("name:seed", Role.SEED, "name", name, 0.5, passages=3),
        Node("doc:00000", Role.PASSAGE, "passage", "", 0.1, x=250.0),
        Node(f"name:{name}", Role.BRIDGE, "name", name, 0.2, passages=1, x=500.0, y=60.0),
        Node("doc:00001", Role.HIT, "passage", "", 0.3, rank=1, x=750.0),
    )
    edges = (
        Edge("name:seed", "doc:00000", 0.1),
        Edge("doc:00000", f"name:{name}", 0.05, more=2),
        Edge(f"name:{name}", "doc:00001", 0.2),
    )
    places = {
        "doc:00000": drawing.Place("doc", name, "10-K FY2022", 3, name, name),
        "doc:00001": drawing.Place("doc", "NIKE", "10-K FY2022", 41, "Item 8", "Revenue rose."),
    }
    return drawing.figure(Subgraph(nodes, edges, ()), places)


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_svg_and_graphml_are_well_formed_and_hold_names_as_text(name: str) -> None:
    svg = ElementTree.fromstring(drawing.as_svg(picture(name), heading=name))
    assert {element.tag.rpartition("}")[2] for element in svg.iter()} <= {
        "svg",
        "title",
        "rect",
        "g",
        "path",
        "circle",
        "text",
    }
    graph = networkx.read_graphml(io.BytesIO(drawing.as_graphml(picture(name))))
    assert graph.number_of_nodes() == 4 and graph.number_of_edges() == 3
    assert {data["role"] for _, data in graph.nodes(data=True)} == {"seed", "passage", "bridge", "hit"}
    assert graph.edges["name:seed", "doc:00000"]["flow"] == 0.1


class Tags(HTMLParser):
    """The tags and attributes that a browser sees."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append(tag)
        self.attributes.update(name for name, _ in attrs)


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_the_page_needs_nothing_from_outside_and_holds_names_as_text(name: str) -> None:
    page = drawing.as_html(picture(name), heading=name, about=name).decode("utf-8")
    ours = page.replace(drawing.vis_network(), "").replace(drawing.script(), "")
    tags = Tags()
    tags.feed(ours)
    assert not set(tags.found) & {"img", "a", "link", "iframe", "svg", "object", "form", "base"}
    assert tags.found.count("script") == 3 and not {"src", "href", "onerror"} & tags.attributes
    assert "49 " not in ours  # {{ 7 * 7 }} was not evaluated


def test_roles_differ_in_words_and_sizes_follow_mass() -> None:
    marks = {mark.role: mark for mark in picture("Helios").marks}
    assert marks[Role.SEED].lines[0].startswith("start")
    assert marks[Role.BRIDGE].lines == ("in 1 passage", "Helios")
    assert marks[Role.HIT].lines == ("NIKE 10-K FY2022", "p. 41 · Item 8") and marks[Role.HIT].rank == 1
    assert marks[Role.SEED].font > marks[Role.HIT].font > marks[Role.PASSAGE].font
    widths = [stroke.width for stroke in picture("Helios").strokes]
    assert widths[2] > widths[0] > widths[1]
    assert "2 more passages join" in picture("Helios").strokes[1].title


def test_columns_do_not_overlap_however_long_the_names_are() -> None:
    figure = picture("W" * 40)
    boxes = sorted(
        (
            m.x - drawing.size(m.role, m.lines, m.font)[0] / 2,
            m.x + drawing.size(m.role, m.lines, m.font)[0] / 2,
        )
        for m in figure.marks
    )
    assert all(right < left for (_, right), (left, _) in pairwise(boxes))


def test_a_passage_whose_place_is_not_known_goes_by_its_id() -> None:
    graph = Subgraph((Node("doc:00001", Role.HIT, "passage", "", 0.0, rank=1),), (), ())
    (mark,) = drawing.figure(graph, {}).marks
    assert mark.lines == ("passage", "doc:00001")


def test_the_company_is_what_is_cut_of_a_long_citation() -> None:
    place = drawing.Place("d", "NorthRiver Capital Partners IV, L.P.", "LP letter Q2 FY2022", 2, "Letter", "")
    assert place.short(36) == "NorthRiver Capi… LP letter Q2 FY2022"
    assert place.citation == "NorthRiver Capital Partners IV, L.P. LP letter Q2 FY2022 · p. 2 · Letter"
    assert clip("a\nb\tc", 10) == "a b c" and clip("abcdef", 4) == "abc…"


def test_an_empty_graph_can_be_drawn() -> None:
    figure = drawing.figure(Subgraph((), (), ()), {})
    assert ElementTree.fromstring(drawing.as_svg(figure)) is not None
    assert b"vis" in drawing.as_html(figure)
