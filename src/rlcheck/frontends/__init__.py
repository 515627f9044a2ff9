"""Ways in: each front end runs user code, and asks a guide."""
