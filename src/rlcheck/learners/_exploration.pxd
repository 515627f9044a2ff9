cimport cython

cpdef any_option(rng, n)
@cython.locals(roll=double)
cdef Py_ssize_t below(rng, Py_ssize_t n) except -1
