"""``python -m depcodex``: the command line. Here: nothing but the call."""

from __future__ import annotations

import sys

from depcodex.cli import main

if __name__ == "__main__":
    sys.exit(main())
