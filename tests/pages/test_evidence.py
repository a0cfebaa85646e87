"""The Evidence screen: what it says, and what its controls do."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from streamlit.testing.v1 import AppTest

from aethel_core.types import Hit, Ranking
from aethel_core.workspace import Workspace
from pages._ui import moves, overview_charts, paths
from tests.pages.conftest import DEAL
from tests.standins import HashEmbedder, RegexNames

Open = Callable[..., AppTest]
QUESTION = "Does Halden Logistics know Quillon Data?"


def said(at: AppTest) -> str:
    return "\n".join(str(element.proto) for element in at.get("html"))


def component(at: AppTest, key: str) -> dict:
    found = [element.proto for element in at.get("bidi_component") if element.key == key]
    return json.loads(found[0].json)


def look_at(at: AppTest, view: str) -> AppTest:
    return at.segmented_control(key="evidence.view").set_value(view).run()


def test_comes_up_without_documents_and_says_what_to_do(app: Open, tmp_path: Path) -> None:
    at = app(tmp_path, "evidence")
    assert not at.exception and not at.error
    assert "No evidence yet" in at.subheader[0].value
    assert any(button.label == "Go to the Library" for button in at.button)


def test_without_a_question_it_asks_for_one(app: Open, data_dir: Path) -> None:
    at = app(data_dir, "evidence")
    assert not at.exception and not at.error
    assert "Ask a question" in said(at)


def test_paths_read_as_sentences_and_account_for_the_mass(app: Open, data_dir: Path) -> None:
    at = app(data_dir, "evidence", q=QUESTION, r="ppr-ner")
    assert not at.exception and not at.error
    data = component(at, "paths")
    assert data["hits"] and data["graph"]["nodes"] and data["graph"]["edges"]
    ids = {node["id"] for node in data["graph"]["nodes"]}
    assert all({edge["from"], edge["to"]} <= ids for edge in data["graph"]["edges"])
    assert all(set(route["nodes"]) <= ids for route in data["routes"])
    for hit in data["hits"]:
        for part in (*hit["parts"], *hit["more"]):
            for path in part["paths"]:
                kinds = [station["kind"] for station in path["stations"]]
                assert kinds[-1] == "here" and kinds[0] in ("seed", "passage", "text", "entity")
    assert "The walks start at" in said(at) and "Halden Logistics" in said(at)


def test_every_walker_has_its_paths(app: Open, data_dir: Path) -> None:
    at = app(data_dir, "evidence", q=QUESTION)
    for name in ("hybrid", "ppr-ner", "ppr-regex", "bct"):
        at.segmented_control(key="evidence.retriever").set_value(name).run()
        assert not at.exception and not at.error
        assert component(at, "paths")["hits"]


def test_a_question_without_an_entity_is_explained(app: Open, data_dir: Path) -> None:
    at = app(data_dir, "evidence", q="how much was it", r="ppr-ner")
    assert not at.exception
    assert "entity" in at.info[0].value


def test_switching_a_seed_off_changes_the_ranking_beside_the_one_before(
    app: Open, own_data_dir: Path
) -> None:
    at = look_at(app(own_data_dir, "evidence", q=QUESTION, r="ppr-ner"), "What if")
    assert not at.exception
    before = component(at, "moves")
    assert before["summary"] == "The ranking stays as it is."
    seeds = at.button_group(key="whatif.seeds")
    kept = [entity for entity in seeds.value if "halden" not in entity]
    assert kept and len(kept) < len(seeds.value)
    seeds.set_value(kept).run()
    after = component(at, "moves")
    assert after["before"] == before["before"] and after["after"] != before["after"]
    assert after["summary"] != before["summary"]


def test_an_entity_is_added_by_typing_a_part_of_its_name(app: Open, own_data_dir: Path) -> None:
    at = look_at(app(own_data_dir, "evidence", q="Quillon Data", r="ppr-ner"), "What if")
    field = next(field for field in at.text_input if field.label == "Start from another entity too")
    field.set_value("hald").run()
    group = next(g for g in at.button_group if str(g.key).startswith("whatif.add"))
    group.set_value("name:halden logistics").run()
    assert not at.exception
    assert component(at, "moves")["summary"] != "The ranking stays as it is."
    assert "Halden Logistics" in at.button_group(key="whatif.seeds").options


def test_a_mute_is_kept_in_the_workspace_and_can_be_undone(app: Open, own_data_dir: Path) -> None:
    with Workspace.open(own_data_dir / DEAL, embedder=HashEmbedder(), names=RegexNames()) as workspace:
        workspace.evidence.mute("name:halden logistics")
    at = look_at(app(own_data_dir, "evidence", q=QUESTION, r="ppr-ner"), "What if")
    assert "Halden Logistics is muted" in said(at)
    next(button for button in at.button if button.label == "Undo").click().run()
    assert "Halden Logistics is muted" not in said(at)


def test_two_retrievers_with_reasons(app: Open, data_dir: Path) -> None:
    at = look_at(app(data_dir, "evidence", q=QUESTION, r="ppr-ner"), "Two retrievers")
    assert not at.exception and not at.error
    assert "in common" in said(at) and "Only" in said(at)


def test_two_retrievers_without_a_hit_are_not_said_to_agree(app: Open, data_dir: Path) -> None:
    at = look_at(app(data_dir, "evidence", q="zzqx wibble", r="ppr-ner"), "Two retrievers")
    assert not at.exception and not at.error
    assert "PPR-NER finds nothing." in said(at) and "has all of them too" not in said(at)


def test_an_entity_leads_on_to_its_neighbours_and_to_the_one_it_is_joined_with(
    app: Open, own_data_dir: Path
) -> None:
    at = look_at(app(own_data_dir, "evidence"), "Entities")
    at.text_input(key="finder.0.text").set_value("halden").run()
    at.button_group(key="finder.0.pills").set_value("name:halden logistics").run()
    beside = at.button_group(key="finder.neighbours.name:halden logistics")
    other = next(option for option in beside.options if ", " not in option).partition(" · ")[0]
    beside.set_value(f"name:{other.lower()}").run()
    assert not at.exception and not at.error and not at.info
    assert any(button.key == f"finder.mute.name:{other.lower()}" for button in at.button)

    join = f"finder.join.name:{other.lower()}"
    at.text_input(key=f"{join}.0.text").set_value("halden").run()
    at.button_group(key=f"{join}.0.pills").set_value("name:halden logistics").run()
    at.button(key=f"finder.joined.name:{other.lower()}").click().run()
    assert not at.exception and not at.error and not at.info
    assert any(button.key == "finder.mute.name:halden logistics" for button in at.button)


def test_an_entity_with_its_names_and_passages(app: Open, data_dir: Path) -> None:
    at = look_at(app(data_dir, "evidence"), "Entities")
    at.text_input(key="finder.0.text").set_value("halden").run()
    at.button_group(key="finder.0.pills").set_value("name:halden logistics").run()
    assert not at.exception and not at.error
    assert "Halden Logistics" in said(at) and "Occurs together with" in said(at)
    assert len(at.dataframe[0].value) >= 2


def test_the_whole_corpus(app: Open, data_dir: Path) -> None:
    at = look_at(app(data_dir, "evidence"), "Whole corpus")
    assert not at.exception and not at.error
    assert any("same names" in heading.value for heading in at.subheader)


def test_what_moved_is_said_beside_each_hit() -> None:
    before = Ranking("x", tuple(Hit(p, 1.0) for p in "abcd"))
    after = Ranking("x", tuple(Hit(p, 1.0) for p in "acbe"))
    labels = {p: (p, p) for p in "abcde"}
    content = moves.content(before, after, labels)
    assert [row["change"] for row in content["after"]] == ["=", "▲ 1", "▼ 1", "new"]
    assert [row["change"] for row in content["before"]] == ["", "", "", "gone"]
    assert content["summary"] == "1 new hit, 2 moved, 1 gone."
    assert moves.summary(before, before) == "The ranking stays as it is."


def test_shares_are_written_with_the_digits_that_say_something() -> None:
    shares = (1.0, 0.344, 0.0996, 0.0123, 0.0006, 0.0001)
    assert [paths.percent(share) for share in shares] == ["100%", "34%", "10%", "1.2%", "0.1%", "<0.1%"]


def test_names_in_charts_are_not_markup() -> None:
    figure = overview_charts.periods([("<b>FY</b>", 2), ("", 1)])
    assert list(figure.data[0].x) == ["&lt;b&gt;FY&lt;/b&gt;", "not known"]
