"""The oracles for Java and Kotlin: what the JDK and Dokka say is what the comparison reads, and it agrees with ours."""

from __future__ import annotations

import importlib
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

REQUIRED_SHARE = 0.97
# The smallest of the measured artifacts; bench/oracles.py takes any unpacked sources jar.
ARTIFACT = "com.google.code.gson:gson:2.13.1:jar:sources"


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "bench"))
    for name in ("oracles_java", "oracles_kotlin"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return importlib.import_module("oracles_kotlin").oracles_java  # type: ignore[no-any-return]


def test_the_jdk_and_we_read_the_same_words(bench: ModuleType, tmp_path: Path) -> None:
    if shutil.which("java") is None:
        pytest.skip("no JDK")
    folder = tmp_path / "a"
    folder.mkdir()
    (folder / "Thing.java").write_text(
        "package a;\n/** Holds {@code x < y} of <b>it</b>.\n * @since 1 */\npublic class Thing {\n"
        "  /** Gets {@link java.util.List#size() all}. */\n  public int get() { return 1; }\n"
        "  public int silent() { return 1; }\n  int hidden() { return 1; }\n}\n"
    )
    outcome = bench.compare(tmp_path)
    assert (outcome.symbols, outcome.found, outcome.documented, outcome.same) == (3, 3, 2, 2)
    assert not outcome.misses


def test_dokkas_pages_are_cut_at_declarations_and_tags(bench: ModuleType, tmp_path: Path) -> None:
    kotlin = sys.modules["oracles_kotlin"]
    (tmp_path / "get.html").write_text(
        '<div id="content" pageIds="t::a.b/Thing/get/#kotlin.Int/PointingToDeclaration//1">'
        '<div class="symbol monospace"><span>fun </span><br><a>get</a>(n)</div><p>Gets <code>n</code>.'
        "</p>"
        '<span class="kdoc-tag"><h4 class="">Parameters</h4></span><p>n: how many</p><hr>'
        '<div class="symbol monospace">fun get()</div><p class="paragraph">Gets<br>all.</p></div>'
        '<div class="footer">Generated</div>'
    )
    texts = kotlin.dokka_texts(tmp_path)
    assert {symbol: [bench.words(each) for each in found] for symbol, found in texts.items()} == {
        "a.b.Thing.get": [["gets", "n"], ["gets", "all"]]
    }


@pytest.mark.online
def test_nearly_all_that_the_jdk_finds_in_a_real_artifact_is_found(bench: ModuleType, tmp_path: Path) -> None:
    if shutil.which("mvn") is None or shutil.which("java") is None:
        pytest.skip("no Maven or no JDK")
    command = [
        "mvn",
        "-q",
        "-B",
        f"-Dmaven.repo.local={tmp_path / 'm2'}",
        f"-Dartifact={ARTIFACT}",
        "-Dmdep.stripVersion=true",
    ]
    command += [f"-DoutputDirectory={tmp_path}", "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=280, check=False)
    jars = list(tmp_path.glob("gson*.jar"))
    if done.returncode or not jars:
        pytest.skip("Maven could not bring it")
    with zipfile.ZipFile(jars[0]) as archive:
        archive.extractall(tmp_path / "sources")
    shares = bench.compare(tmp_path / "sources").shares()
    assert shares["found"] >= REQUIRED_SHARE
    assert shares["same_doc"] >= REQUIRED_SHARE
