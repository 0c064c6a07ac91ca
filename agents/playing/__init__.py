"""A person at the terminal, and games that are kept."""
