cimport cython

cdef Py_ssize_t FEW, _LEAST, _TRIALS, _VALID, _POINTS


cdef class Values:
    cdef readonly set unordered
    cdef readonly set known
    cdef readonly set open
    cdef readonly set kinds
    cdef dict _tries

    cpdef bint is_value(self, Py_ssize_t head, n) except -1
    cpdef meet(self, Py_ssize_t head, n)
    @cython.locals(tries=list)
    cpdef bint learn(self, Py_ssize_t head, bint valid) except -1
