from __future__ import annotations

import pytest

from aethel_core.entities import lexicon
from aethel_core.text import match_form

LISTS = sorted(name for name in vars(lexicon) if name.isupper())


@pytest.mark.parametrize("name", LISTS)
def test_every_entry_is_in_the_form_that_is_compared(name: str) -> None:
    for entry in getattr(lexicon, name):
        assert match_form(entry).strip() == entry
        assert " " not in entry or name in ("FURNITURE", "LEGAL_SUFFIXES")
