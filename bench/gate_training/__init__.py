"""What trains the gate: sources of attacks and of honest documentation, and our own generator of attacks.

Here: reading and making training texts. Not here: the training itself (bench/train_gate.py), the gate.
"""
