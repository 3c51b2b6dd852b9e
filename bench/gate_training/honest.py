"""Honest documentation: docstrings out of wheels, read as data and never imported.

Here: fetching the named packages with pip, taking docstrings out with ``ast``. Not here: attacks.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import warnings
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

# A gate must stay quiet on libraries that write about models, prompts, secrets and attacks; they stand first.
PACKAGES: tuple[str, ...] = tuple(
    """
openai anthropic langchain-core langchain transformers litellm llama-index-core instructor autogen-core
semantic-kernel haystack-ai crewai mcp fastmcp pydantic-ai-slim ollama smolagents openai-agents guardrails-ai
nemoguardrails llm-guard presidio-analyzer dspy guidance cohere mistralai google-genai huggingface-hub datasets
cryptography paramiko bandit pyjwt authlib passlib pyopenssl detect-secrets scapy impacket keyring pynacl
itsdangerous oauthlib requests-oauthlib safety pip-audit semgrep pytest click requests httpx django flask
sqlalchemy pandas scipy scikit-learn matplotlib networkx sympy celery redis boto3 botocore aiohttp tornado
scrapy rich typer fastapi starlette pydantic attrs jinja2 black pylint hypothesis sphinx nltk gensim dask
distributed xarray pillow keras ansible-core fabric invoke kubernetes docker prefect apache-airflow-core luigi
dagster polars ibis-framework statsmodels seaborn plotly bokeh altair streamlit gradio trio anyio twisted
marshmallow peewee psycopg pymongo elasticsearch google-cloud-storage azure-core stripe sentry-sdk structlog
loguru tqdm setuptools poetry-core pip virtualenv tox nox coverage faker arrow lxml beautifulsoup4 markdown
pygments wtforms numpy tensorflow-probability optuna mlflow-skinny wandb django-allauth textual prompt-toolkit
ipython jupyter-server notebook nbconvert moto responses vcrpy freezegun
""".split()  # noqa: SIM905 - readable as a paragraph
)
MIN_DOC_CHARACTERS = 12
# No package may drown the others.
MAX_DOCS_PER_PACKAGE = 6000


@dataclass(frozen=True)
class HonestDoc:
    """One docstring of one package."""

    package: str
    version: str
    text: str


def fetch(folder: Path) -> None:
    """Brings the wheel of each named package that ``folder`` lacks, with pip and without dependencies."""
    folder.mkdir(parents=True, exist_ok=True)
    for package in PACKAGES:
        stem = package.replace("-", "_").lower()
        if any(each.name.lower().startswith(f"{stem}-") for each in folder.glob("*.whl")):
            continue
        command = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "-q",
            "--no-deps",
            "--only-binary",
            ":all:",
            "-d",
            str(folder),
            package,
        ]
        if subprocess.run(command, check=False).returncode:
            print(f"{package}: not fetched", file=sys.stderr)


def read(folder: Path) -> list[HonestDoc]:
    """Every distinct docstring of the wheels in ``folder``, in order of package; at most a fixed number a package."""
    seen: set[str] = set()
    docs: list[HonestDoc] = []
    for wheel in sorted(folder.glob("*.whl")):
        package, version = wheel.name.split("-")[:2]
        count = 0
        for text in _docstrings(wheel):
            if text in seen or len(text) < MIN_DOC_CHARACTERS:
                continue
            seen.add(text)
            docs.append(HonestDoc(package.lower(), version, text))
            count += 1
            if count >= MAX_DOCS_PER_PACKAGE:
                break
    return docs


def _docstrings(wheel: Path) -> Iterator[str]:
    with zipfile.ZipFile(wheel) as archive:
        # Spread over the package, so that a cap does not keep the first folder only.
        names = sorted(name for name in archive.namelist() if name.endswith((".py", ".pyi")))
        for name in sorted(names, key=hash_text):
            yield from docstrings(archive.read(name))


def hash_text(text: str) -> int:
    """A stable number for a text."""
    import hashlib

    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def docstrings(source: bytes) -> Iterator[str]:
    """The docstrings of one Python module, in source order; none where it does not parse."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError):
            return
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            doc = ast.get_docstring(node)
            if doc:
                yield doc
