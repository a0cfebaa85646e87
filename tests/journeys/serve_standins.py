"""``streamlit`` with the stand-ins for the models: the screens are what is tested then."""

from __future__ import annotations

from streamlit.web import cli

from aethel_core.workspace import facade
from tests.standins import HashEmbedder

if __name__ == "__main__":
    facade.embedding.load = lambda settings: HashEmbedder()
    cli.main()
