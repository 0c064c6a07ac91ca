"""What a tournament is made of: its plan, its finished blocks, and what they say."""
