"""Agents for tablezoo's games: training and evaluation. Installed as ``tablezoo_agents``."""
