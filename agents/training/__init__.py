"""What a training run is made of: :class:`run.Run`, its opponents, what it measures and what it draws."""
