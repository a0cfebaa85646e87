"""The command line: what it prints where, and how it exits."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from aethel_core import cli, formats
from aethel_core.workspace import Workspace
from tests.standins import HashEmbedder, RegexNames, letter, pdf

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def _standins(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Workspace.open.__func__

    def open_with_standins(cls, path, settings=None, *, create=True):
        return real(cls, path, settings, create=create, embedder=HashEmbedder(), names=RegexNames())

    monkeypatch.setattr(Workspace, "open", classmethod(open_with_standins))


@pytest.fixture
def files(tmp_path: Path) -> Path:
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "q1.pdf").write_bytes(letter("NorthRiver IV LP", 1, "Halden Logistics repaid Meridian Bank."))
    (folder / "q3.pdf").write_bytes(letter("Calder Growth Fund LP", 3))
    return folder


@pytest.fixture
def space(tmp_path: Path, files: Path, capsys: pytest.CaptureFixture[str]) -> str:
    path = str(tmp_path / "space")
    assert cli.main(["ingest", str(files), "--workspace", path]) == 0
    capsys.readouterr()
    return path


def test_ingest_says_what_became_of_each_file(
    tmp_path: Path, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    space = str(tmp_path / "space")
    assert cli.main(["ingest", str(files), "--workspace", space]) == 0
    out, err = capsys.readouterr()
    assert [line.split(": ")[:2] for line in out.splitlines()] == [["added", "q1.pdf"], ["added", "q3.pdf"]]
    assert "2 of 2 added, 0 not" in err
    assert "\r" not in err
    assert cli.main(["ingest", str(files / "q1.pdf"), "--workspace", space]) == 0
    assert capsys.readouterr().out.startswith("duplicate: q1.pdf: It is already in the workspace")


def test_some_failing_files_make_1_and_are_summed_up_on_stderr(
    tmp_path: Path, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (files / "bad.pdf").write_bytes(b"not a pdf")
    (files / "locked.pdf").write_bytes(pdf("Secret.", password="hunter2"))
    space = str(tmp_path / "space")
    arguments = ["ingest", str(files), str(tmp_path / "gone.pdf"), "--workspace", space]
    assert cli.main(arguments) == 1
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 2
    assert "no file or folder" in err
    assert "failed: bad.pdf:" in err
    assert "password: locked.pdf:" in err
    assert "2 of 4 added, 2 not." in err
    assert "resume --workspace" in err
    assert cli.main(["resume", "--workspace", space, "--password", "hunter2"]) == 0
    assert capsys.readouterr().out.startswith("added: locked.pdf")


def test_nothing_to_ingest_makes_no_workspace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["ingest", str(tmp_path / "gone.pdf"), "--workspace", str(tmp_path / "space")]) == 1
    assert not (tmp_path / "space").exists()
    assert "no file or folder" in capsys.readouterr().err


def test_search_prints_one_json_object(space: str, capsys: pytest.CaptureFixture[str]) -> None:
    question = "Which bank did Halden Logistics repay?"
    arguments = ["search", question, "--workspace", space, "--retriever", "bm25", "--k", "2", "--json"]
    assert cli.main(arguments) == 0
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert set(found) == {"query", "retriever", "hits"}
    assert (found["query"], found["retriever"]) == (question, "bm25")
    assert [hit["rank"] for hit in found["hits"]] == [1, 2]
    first = found["hits"][0]
    assert set(first) == {"rank", "score", "passage_id", "document", "page", "section", "text"}
    assert (first["document"], first["page"]) == ("q1.pdf", 1)
    assert "Meridian Bank" in " ".join(first["text"].split())
    assert found["hits"][0]["score"] >= found["hits"][1]["score"]
    assert err == ""


def test_search_without_a_hit_is_empty_json_and_a_note(
    space: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["search", "xylophone", "--workspace", space, "--retriever", "bm25", "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["hits"] == []
    assert err.strip()


def test_search_for_people(space: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["search", "Meridian Bank", "--workspace", space, "--retriever", "tfidf"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("  1. ")
    assert " · p. 1" in out
    assert "q1.pdf" in out


def test_filters_go_by_part_of_the_name(space: str, capsys: pytest.CaptureFixture[str]) -> None:
    search = ["search", "distributions next year", "--workspace", space, "--retriever", "bm25", "--json"]
    assert cli.main([*search, "--document", "q3.pdf"]) == 0
    assert {hit["document"] for hit in json.loads(capsys.readouterr().out)["hits"]} == {"q3.pdf"}
    assert cli.main([*search, "--company", "calder"]) == 0
    assert {hit["document"] for hit in json.loads(capsys.readouterr().out)["hits"]} == {"q3.pdf"}
    assert cli.main([*search, "--year", "1999"]) == 0
    assert json.loads(capsys.readouterr().out)["hits"] == []
    assert cli.main([*search, "--kind", "prose", "--type", "lp LETTER"]) == 0
    assert json.loads(capsys.readouterr().out)["hits"]
    assert cli.main([*search, "--company", "nobody"]) == 2
    assert "No document has the company 'nobody'. There are: " in capsys.readouterr().err


def test_documents_and_delete(space: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["documents", "--workspace", space]) == 0
    assert [line.split()[1] for line in capsys.readouterr().out.splitlines()] == ["q1.pdf", "q3.pdf"]
    assert cli.main(["delete", "q1.pdf", "--workspace", space]) == 0
    assert capsys.readouterr().out == "deleted: q1.pdf\n"
    assert cli.main(["documents", "--workspace", space, "--json"]) == 0
    (left,) = json.loads(capsys.readouterr().out)["documents"]
    assert (left["name"], left["pages"]) == ("q3.pdf", 2)
    assert cli.main(["delete", left["id"], "--workspace", space]) == 0
    capsys.readouterr()
    assert cli.main(["delete", "q1.pdf", "--workspace", space]) == 1
    assert "no document 'q1.pdf'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["search", "bank", "--workspace", "{missing}"], 1, "There is no workspace in"),
        (["documents", "--workspace", "{missing}"], 1, "There is no workspace in"),
        (["search", " ", "--workspace", "{space}"], 2, "question is empty"),
        (["search", "bank", "--workspace", "{space}", "--retriever", "oracle"], 2, "bm25"),
    ],
)
def test_errors_are_one_line_and_an_exit_code(
    space: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, said: str
) -> None:
    missing = str(tmp_path / "missing")
    filled = [text.format(space=space, missing=missing) for text in arguments]
    assert cli.main(filled) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert len(err.splitlines()) == 1
    assert not Path(missing).exists()


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["fly"],
        ["ingest", "--workspace", "x"],
        ["ingest", "x.pdf"],
        ["search", "q", "--workspace", "x", "--k", "0"],
        ["search", "q", "--workspace", "x", "--k", "many"],
        ["search", "q", "--workspace", "x", "--kind", "poem"],
    ],
)
def test_wrong_usage_is_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(arguments)
    assert ended.value.code == 2
    assert "usage:" in capsys.readouterr().err


def test_an_interrupted_ingest_is_130_and_goes_on_later(
    tmp_path: Path, files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    space = str(tmp_path / "space")

    def interrupt(self: object, progress: object) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    with monkeypatch.context() as patched:
        patched.setattr(cli._Progress, "__call__", interrupt)
        assert cli.main(["ingest", str(files), "--workspace", space]) == 130
    assert signal.getsignal(signal.SIGINT) is before
    assert "cancelled: q1.pdf" in capsys.readouterr().err
    assert cli.main(["documents", "--workspace", space]) == 0
    assert "2 files wait" in capsys.readouterr().err
    assert cli.main(["resume", "--workspace", space]) == 0
    assert "2 of 2 added" in capsys.readouterr().err
    assert cli.main(["resume", "--workspace", space, "--discard"]) == 0
    assert capsys.readouterr().out == "0 forgotten.\n"


def test_a_reader_that_goes_away_is_no_error(space: str) -> None:
    command = f"{sys.executable} -m aethel_core documents --workspace '{space}' --json"
    script = f"set -o pipefail; ({command}; echo $? >&2) | true"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, cwd=ROOT)
    assert done.stderr.strip() in ("0", "141")


def test_help_is_quick_and_names_every_command() -> None:
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "aethel_core", "--help"],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert time.monotonic() - began < 5
    assert done.returncode == 0
    for command in ("ingest", "resume", "search", "documents", "delete", "evaluate"):
        assert command in done.stdout
    for heavy in ("numpy", "pymupdf", "spacy", "torch", "openvino"):
        assert f" {heavy}\n" not in done.stderr


def test_the_facade_loads_no_model_library() -> None:
    code = (
        "import sys, aethel_core.workspace; "
        "sys.exit(sum(m in sys.modules for m in ('torch', 'spacy', 'openvino', 'transformers')))"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0


def test_the_whole_thing_with_the_real_models(tmp_path: Path, files: Path) -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "aethel_core", *arguments, "--workspace", str(tmp_path / "space")]
        return subprocess.run(command, capture_output=True, text=True, cwd=ROOT)

    added = run("ingest", str(files))
    assert (added.returncode, added.stdout.count("added: ")) == (0, 2), added.stderr
    for retriever in ("dense", "bm25", "ppr-ner", "rrf"):
        found = run("search", "Who repaid Meridian Bank?", "--retriever", retriever, "--k", "1", "--json")
        assert found.returncode == 0, found.stderr
        (hit,) = json.loads(found.stdout)["hits"]
        assert (hit["document"], hit["page"]) == ("q1.pdf", 1)


def test_a_command_of_another_package_brings_its_own_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["evaluate", "--help"])
    assert ended.value.code == 0
    assert "--questions" in capsys.readouterr().out


def test_documents_of_an_earlier_version_are_named_and_read_again(
    space: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formats, "CHUNKING", formats.CHUNKING + 1)
    assert cli.main(["documents", "--workspace", space]) == 0
    out, err = capsys.readouterr()
    assert out.count("Read by an earlier version of Aethel.") == 2
    assert f"2 documents should be read again: python -m aethel_core reindex --workspace {space}" in err
    assert cli.main(["reindex", "q1.pdf", "--workspace", space]) == 0
    assert capsys.readouterr().out.startswith("read again: q1.pdf: ")
    assert cli.main(["documents", "--workspace", space, "--json"]) == 0
    documents = json.loads(capsys.readouterr().out)["documents"]
    assert {d["name"]: bool(d["outdated"]) for d in documents} == {"q1.pdf": False, "q3.pdf": True}
    assert cli.main(["reindex", "--workspace", space]) == 0
    assert capsys.readouterr().out.startswith("read again: q3.pdf: ")
    assert cli.main(["reindex", "--workspace", space]) == 0
    assert "Every document is up to date." in capsys.readouterr().err
    assert cli.main(["reindex", "nowhere.pdf", "--workspace", space]) == 1


def test_search_takes_the_pipeline_of_compare(space: str, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["search", "Who repaid Meridain Bank in Q1 2023?", "--workspace", space, "--retriever", "cascade"]
    assert cli.main([*asked, "--show-query", "--with", "keywords", "--without", "stage 1"]) == 0
    told = capsys.readouterr().err
    assert "Asked: Who repaid Meridian Bank in Q1 2023?" in told
    assert "[x] spelling: Meridain → Meridian" in told and "[x] keyword: " in told
    assert "fast learned ranker" not in told and "learned ranker: " in told
    assert cli.main([*asked, "--json", "--show-query"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["query"] == asked[1] and "Meridian" in found["asked"]
    assert {"spelling", "period"} <= {chip["kind"] for chip in found["chips"] if chip["on"]}


def test_search_refuses_parts_it_does_not_have(
    space: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert cli.main(["search", "x", "--workspace", space, "--with", "magic"]) == 2
    assert "There is no part 'magic'. Choose of: spelling" in capsys.readouterr().err
    assert cli.main(["search", "x", "--workspace", space, "--by-model", "units"]) == 2
    assert "A model writes keywords, paraphrases, hypothesis" in capsys.readouterr().err
    monkeypatch.delenv("AETHEL_LLM_MODEL", raising=False)
    assert cli.main(["search", "x", "--workspace", space, "--by-model", "hypothesis"]) == 1
    assert "No language model is set." in capsys.readouterr().err
