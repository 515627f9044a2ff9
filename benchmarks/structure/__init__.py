"""How different in structure valid inputs are: shapes and effective shapes on six naive generators."""
