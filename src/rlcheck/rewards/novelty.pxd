cdef class Novelty:
    cdef readonly object unique
    cdef readonly object valid
    cdef readonly object invalid
