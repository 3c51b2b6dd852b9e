"""What holds for every test: Hypothesis draws the same examples each time, and no test is failed for being slow."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("depcodex", deadline=None, derandomize=True)
settings.load_profile("depcodex")
