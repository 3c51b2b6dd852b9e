"""One parser a language: source files of one coordinate in, its public declarations out.

Here: ``declarations`` (what every language's parser takes and gives) and a module or a small family of modules for each
language. Not here: reading and writing tables (depcodex_assets.parse), what becomes of a declaration's text
(depcodex_assets.dedupe).

Sources are read as trees and never imported or executed.
"""
