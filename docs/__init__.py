"""The documentation, and what writes its generated parts: ``python -m docs.generate``."""
