"""Second implementations of the games, slow and readable, to prove the kernels right."""
