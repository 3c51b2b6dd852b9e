"""The only room that imports Dagster: definitions, assets, resources, jobs, schedules, sensors, commands.

Here: how and when the stages run. Not here: what a stage does (depcodex_assets).
"""
