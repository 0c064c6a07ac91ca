"""What each library's own Python runs: ``serve.py``, given one of the other files.

These files import the standard library and the library that they play, nothing of this project: its environment holds
neither tablezoo nor these packages. ``with_tablezoo.py`` alone is run by our own Python.
"""
