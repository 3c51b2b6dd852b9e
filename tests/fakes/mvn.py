"""A command that does what mvn does with the builds that fetch jars, out of a folder instead of a registry.

Here: the reactor of generated poms, ``copy-dependencies``, the lines of Maven 3.8.7's log that are read. Not here: real
Maven, which the online test asks.

The folder is named by FAKE_MVN_REGISTRY and laid out as a repository. A file ``unreachable`` or ``full`` beside an
artifact's pom makes that artifact fail so, and ``sources-unreachable`` makes its sources alone fail, which the plugin
passes over; ``FAKE_MVN_MODE`` ``silent`` says nothing and does not end, ``broken`` fails before anything is asked for.
The arguments of each call are appended to FAKE_MVN_LOG.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

POM = "{http://maven.apache.org/POM/4.0.0}"


def main(arguments: list[str]) -> int:
    options = dict(each[2:].partition("=")[::2] for each in arguments if each.startswith("-D"))
    with Path(os.environ["FAKE_MVN_LOG"]).open("a", encoding="utf-8") as log:
        log.write(json.dumps({"arguments": arguments, "environment": dict(os.environ)}) + "\n")
    mode = os.environ.get("FAKE_MVN_MODE", "")
    if mode == "silent":
        time.sleep(600)
    if mode == "broken":
        sys.stdout.write("[ERROR] Error executing Maven.\n")
        return 1
    pom = Path(arguments[arguments.index("-f") + 1])
    repository = Path(options["maven.repo.local"])
    repository.mkdir(parents=True, exist_ok=True)
    (repository / "plugin.jar").write_bytes(b"the plugin's own")
    status = 0
    for module in ElementTree.parse(pom).getroot().iter(f"{POM}module"):
        name = str(module.text)
        problem = bring(pom.parent / name, repository, options.get("classifier", ""))
        if problem:
            status = 1
            sys.stdout.write(
                "[ERROR] Failed to execute goal on project "
                f"{name}: Could not resolve dependencies for project depcodex.fetch:{name}:pom:1: "
                f"{problem} -> [Help 1]\n"
            )
    return status


def bring(module: Path, repository: Path, classifier: str) -> str:
    """What real Maven would say of the module; "" where it succeeds."""
    dependency = ElementTree.parse(module / "pom.xml").getroot().find(f".//{POM}dependency")
    assert dependency is not None
    group, artifact, version, type_ = (
        str(dependency.findtext(f"{POM}{name}")) for name in ("groupId", "artifactId", "version", "type")
    )
    place = Path(os.environ["FAKE_MVN_REGISTRY"]).joinpath(*group.split("."), artifact, version)
    wanted = f"{group}:{artifact}:{type_}:{version}"
    if (place / "unreachable").exists():
        return f"Could not transfer artifact {wanted} from/to central (here): transfer failed"
    if (place / "full").exists():
        return f"Could not transfer artifact {wanted} from/to central (here): No space left on device"
    if not (place / f"{artifact}-{version}.{type_}").exists():
        return f"Could not find artifact {wanted} in central (here)"
    if classifier and (place / "sources-unreachable").exists():
        name = f"{artifact}-{version}-{classifier}.jar.lastUpdated"
        note = repository.joinpath(*group.split("."), artifact, version, name)
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text("#NOTE\nhere/.error=Could not transfer artifact\nhere/.lastUpdated=1\n")
        return ""
    jar = place / (f"{artifact}-{version}-{classifier}.jar" if classifier else f"{artifact}-{version}.{type_}")
    if jar.exists():
        (module / "out").mkdir()
        shutil.copyfile(jar, module / "out" / jar.name)
        kept = repository.joinpath(*group.split("."), artifact, version, jar.name)
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(jar, kept)
        given = jar.with_name(f"{jar.name}.sha1")
        registered = given.read_text() if given.exists() else hashlib.sha1(jar.read_bytes()).hexdigest()
        if registered:
            kept.with_name(f"{kept.name}.sha1").write_text(registered)
    return ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
