"""Servers of our own for tests, on loopback. Not here: the code that talks to them."""
