"""All specialists side by side: progress, cancel, and one that fails does not take the others down."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from aethel_core.agents import checklist as checklists
from aethel_core.agents.base import Brief, Cancelled, Library, OnProgress, Report, Specialist
from aethel_core.agents.diligence import DiligenceAuditor
from aethel_core.agents.liquidity import LiquiditySpecialist
from aethel_core.agents.market import MarketResearchSpecialist
from aethel_core.agents.specialist import Finder
from aethel_core.agents.valuation import ValuationAuditor
from aethel_core.errors import AethelError, InvalidInput
from aethel_core.errors import Cancelled as Stopped

_KINDS = (LiquiditySpecialist, ValuationAuditor, DiligenceAuditor, MarketResearchSpecialist)
REGISTRY = {kind.checklist_key: kind for kind in _KINDS}
KEYS = tuple(REGISTRY)
_LOG = logging.getLogger(__name__)


def build(
    keys: Sequence[str] = KEYS, edited: Mapping[str, str] | None = None, finder: Finder | None = None
) -> tuple[Specialist, ...]:
    """The specialists named.

    :param edited: checklists a person changed, as JSON, by key; the others come with Aethel.
    :raises InvalidInput: there is no specialist of that key, or a checklist is none.
    """
    made = []
    for key in keys:
        if key not in REGISTRY:
            raise InvalidInput(f"There is no specialist {key!r}. Choose of: {', '.join(KEYS)}.")
        text = (edited or {}).get(key) or checklists.builtin_text(key)
        made.append(REGISTRY[key](checklists.read(text), finder))
    return tuple(made)


def run(
    specialists: Sequence[Specialist],
    library: Library,
    brief: Brief,
    *,
    on_progress: OnProgress = lambda progress: None,
    cancelled: Cancelled = lambda: False,
    workers: int = 2,
) -> tuple[Report, ...]:
    """One report each, in the order given; a specialist that failed or was stopped says so in its note."""

    def work(specialist: Specialist) -> Report:
        try:
            return specialist.run(library, brief, on_progress=on_progress, cancelled=cancelled)
        except Stopped:
            return Report(specialist.name, note="Stopped on request.")
        except AethelError as error:
            return Report(specialist.name, note=f"Not finished: {error}")
        except Exception as error:
            # The specialists work apart from each other: a defect in one, whatever it is, must not cost
            # the person what the others found. It is logged with its traceback and told in the memo.
            _LOG.exception("The %s failed.", specialist.name)
            told = f"an unexpected {type(error).__name__}; the program's log says where"
            return Report(specialist.name, note=f"Not finished: {told}.")

    with ThreadPoolExecutor(max_workers=max(1, workers)) as pool:
        return tuple(pool.map(work, specialists))
