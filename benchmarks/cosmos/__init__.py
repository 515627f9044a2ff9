"""The Cosmos SDK's simulation under guided random numbers (DeepRNG, section 3.2)."""
