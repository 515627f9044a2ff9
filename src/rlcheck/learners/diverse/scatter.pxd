cimport cython

cdef Py_ssize_t _MOST, _FIRST


cdef class Scatter:
    cdef readonly bint active
    cdef readonly bint again
    cdef object _random
    cdef set _known
    cdef Py_ssize_t _episodes
    cdef list _choices
    cdef Py_ssize_t _made

    cpdef decide(self, double often)
    cpdef end(self, list choices, list sizes)
    @cython.locals(made=Py_ssize_t)
    cpdef take(self, n)
    cpdef drop(self)
