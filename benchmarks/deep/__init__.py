"""The study of the deep learners' paper (Jiang and Lemieux, 2020), and what was not in it."""
