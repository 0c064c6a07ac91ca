"""Trained networks as policies: SB3's own, and files that play with NumPy alone."""
