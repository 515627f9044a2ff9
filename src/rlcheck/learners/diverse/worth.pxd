cimport cython

cdef double _EQUAL, _STEP, _SHARE
cdef Py_ssize_t _LOOK


cdef class Worth:
    cdef Py_ssize_t _seen
    cdef double _mean
    cdef double _apart

    @cython.locals(apart=double, step=double)
    cpdef double standing(self, double worth) except -1.0


cdef class Aside:
    cdef Py_ssize_t _episodes
    cdef Py_ssize_t _valid
    cdef readonly bint now

    cpdef see(self, bint valid, bint varies)
