"""Write the PDFs of the sample deal: ``python sample_docs/make_sample_docs.py [folder]``.

Without an argument they are written beside this script. The same script gives the same bytes every time.
"""

from __future__ import annotations

import sys
from pathlib import Path

from build.documents import DOCUMENTS


def main(arguments: list[str]) -> None:
    folder = Path(arguments[0]) if arguments else Path(__file__).resolve().parent
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in DOCUMENTS.items():
        data = make()
        (folder / name).write_bytes(data)
        print(f"{len(data):>9,}  {name}")


if __name__ == "__main__":
    main(sys.argv[1:])
