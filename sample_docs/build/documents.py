"""All sample documents by file name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from . import accounts, credit, filing, letter_three, market, notices
from .fund import CORBEL, TAMARACK
from .letters import Letter

DOCUMENTS: dict[str, Callable[[], bytes]] = {
    "Helios-Packaging-10-K-FY2022.pdf": filing.pdf,
    "Larkspur-Secondary-Market-Review-2022-H2.pdf": market.pdf,
    "NorthRiver-III-LP-Letter-2022-Q4.pdf": letter_three.pdf,
    "NorthRiver-IV-LP-Letter-2022-Q1.pdf": Letter(1).pdf,
    "NorthRiver-IV-LP-Letter-2022-Q2.pdf": Letter(2).pdf,
    "NorthRiver-IV-LP-Letter-2022-Q3.pdf": Letter(3).pdf,
    "NorthRiver-IV-LP-Letter-2022-Q3-reissued.pdf": Letter(3, reissued=True).pdf,
    "NorthRiver-IV-LP-Letter-2022-Q4.pdf": Letter(4).pdf,
    "NorthRiver-IV-Borrowing-Base-Certificate-2022-12.pdf": notices.borrowing_base_certificate,
    "NorthRiver-IV-Capital-Account-NR4-0117-2022-Q3.pdf": partial(accounts.pdf, TAMARACK, 3),
    "NorthRiver-IV-Capital-Account-NR4-0117-2022-Q4.pdf": partial(accounts.pdf, TAMARACK, 4),
    "NorthRiver-IV-Capital-Account-NR4-0142-2022-Q3.pdf": partial(accounts.pdf, CORBEL, 3),
    "NorthRiver-IV-Capital-Account-NR4-0142-2022-Q4.pdf": partial(accounts.pdf, CORBEL, 4),
    "NorthRiver-IV-Key-Person-Notice-scan.pdf": notices.key_person_notice,
    "NorthRiver-IV-Side-Letter-Tamarack.pdf": notices.side_letter,
    "Project-Kestrel-Credit-Agreement-Summary.pdf": credit.KESTREL.pdf,
    "Project-Osprey-Credit-Agreement-Summary.pdf": credit.OSPREY.pdf,
}
