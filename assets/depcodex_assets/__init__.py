"""The stages that fill the store, as plain functions: Arrow in, Arrow out.

Here: harvest, parse, dedupe, classify, summarise, quarantine, publish, and what they need. Not here: Dagster
(depcodex_pipelines), reading answers (depcodex).
"""
