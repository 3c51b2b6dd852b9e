"""What a build can run so that it leaves what it resolved: a Gradle init script and a Maven command.

Here: where the script lies, and the command; ``python -m depcodex.lockfiles.build_hook gradle`` (or ``maven``) prints
them for a build's command line. Not here: reading what they write (depcodex.lockfiles.maven_tree).

Both write one file, ``dependency-tree.json``, below the build's own output folder, and touch nothing else; neither asks
a database or a network of ours, and neither fails a build (docs/jvm-builds.md).
"""

from __future__ import annotations

import sys
from pathlib import Path

INIT_SCRIPT = Path(__file__).with_name("data") / "depcodex.init.gradle"
# -fn: whatever goes wrong, the command ends well.
MAVEN_COMMAND = (
    "mvn -B -q -fn org.apache.maven.plugins:maven-dependency-plugin:3.8.1:tree"
    ' -DoutputType=json -DappendOutput=true -DoutputFile="$PWD/target/dependency-tree.json"'
)


def main(arguments: list[str]) -> int:
    """Print the init script's path (``gradle``) or the command (``maven``); 2 for anything else."""
    shown = {"gradle": str(INIT_SCRIPT), "maven": MAVEN_COMMAND}
    if len(arguments) != 1 or arguments[0] not in shown:
        sys.stderr.write("usage: python -m depcodex.lockfiles.build_hook gradle|maven\n")
        return 2
    sys.stdout.write(shown[arguments[0]] + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
