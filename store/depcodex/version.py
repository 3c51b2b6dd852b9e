"""The version, where both the package and its commands can read it. Here: nothing else."""

from __future__ import annotations

__version__ = "0.1.0"
