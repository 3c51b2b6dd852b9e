"""Readers of lock files and installed environments: from a project to its closures, without network or database.

Here: one module and one error class a format, found by depcodex.lockfiles.detection; ``read_closures`` is the way in.
Not here: the record that is written from what they read (depcodex.records).
"""

from __future__ import annotations

from depcodex.lockfiles.detection import format_names
from depcodex.lockfiles.interface import Reading
from depcodex.lockfiles.projects import ClosureRequest, project_folder, read_closures

__all__ = ["ClosureRequest", "Reading", "format_names", "project_folder", "read_closures"]
