"""DeepRNG's studies: the search trees of its paper, and programs that others wrote."""
