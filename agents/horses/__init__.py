"""A network for Stable Times that sees horses as horses: in torch to be trained, in NumPy to be played."""
