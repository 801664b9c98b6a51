"""A fake of the khive service, in shapes and refusals that were taken from khive 0.8.0.

The program is `python -m memory_fidelity.fake.khive.server FOLDER`. It needs
the standard library alone, so that a process that is started without the rest
of this package is there in hundredths of a second.
"""
