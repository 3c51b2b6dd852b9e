"""Sub-commands of the base command line: each module has ``add_parser(subparsers)`` and ``run(arguments) -> int``.

Here: commands that need the read library only. Not here: the command line itself (depcodex.cli), commands that write
the store.
"""
