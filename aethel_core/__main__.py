"""``python -m aethel_core``: see `aethel_core.cli`."""

import sys

from aethel_core.cli import main

sys.exit(main())
