"""``python -m depcodex.snapshot_process``: makes a snapshot's files for a process that cannot (depcodex.forks asks).

Here: one question on standard input, files in the folder that it names. Not here: what they hold (depcodex.snapshots).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from depcodex import snapshots
from depcodex.settings import Settings


def main() -> None:
    """Reads the question and writes the files."""
    question = json.load(sys.stdin)
    settings = Settings(home=Path(question["home"]))
    snapshots.write_files(settings, question["coordinate_ids"], Path(question["folder"]))


if __name__ == "__main__":
    main()
