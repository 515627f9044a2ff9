cdef class Episode:
    cdef public list choices
    cdef public list sizes
    cdef public object outcome
    cdef public bint unique
    cdef public bint overrun
    cdef public object value
    cdef public object digest
    cdef public object shape
    cdef public object counts
    cdef public object path
    cdef public Py_ssize_t new_branches
    cdef public double reward
    cdef public double earned
    cdef public double progress
    cdef public object reason
    cdef public list signs
    cdef public object compared
