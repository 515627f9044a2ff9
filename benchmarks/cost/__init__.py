"""What guidance costs: time per choice, per input and at import, and memory."""
