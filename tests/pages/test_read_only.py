"""A workspace that can only be read: every screen comes up, a question is answered, nothing is stored."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import DEAL

pytestmark = pytest.mark.skipif(
    os.name != "posix" or os.geteuid() != 0, reason="only root can become somebody who may not write"
)


@pytest.fixture
def sealed(own_data_dir: Path) -> Iterator[Path]:
    folder = own_data_dir / DEAL
    for above in (own_data_dir, *own_data_dir.parents[:2]):
        above.chmod(0o755)
    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(0o555)
    pytest.importorskip("pandas")  # loaded now: nobody may not read every part of an interpreter
    os.seteuid(65534)
    yield own_data_dir
    os.seteuid(0)


@pytest.mark.parametrize("screen", ["home", "library", "compare", "evidence", "memo", "evaluate", "settings"])
def test_every_screen_says_that_nothing_is_stored(
    app: Callable[..., AppTest], sealed: Path, screen: str
) -> None:
    at = app(sealed, screen)
    assert not at.exception and not at.error
    assert "nothing is stored" in "".join(str(element.proto) for element in at.get("html"))


def test_a_question_is_answered(app: Callable[..., AppTest], sealed: Path) -> None:
    at = app(sealed, "compare")
    at.text_input(key="question").set_value("unfunded commitments")
    next(button for button in at.button if button.label == "Ask").click().run()
    assert not at.exception and not at.error
    assert [element.key for element in at.get("bidi_component")].count("board") == 1
