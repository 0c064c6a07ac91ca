"""Connect Four and Leduc Hold'em, which other libraries have too: games to compare by, and to learn from."""
