"""RLCheck's study of binary search trees (ICSE 2020, section 4.3.1)."""
