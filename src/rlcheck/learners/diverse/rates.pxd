cimport cython

cdef double _HOPE, _LEAST
cdef Py_ssize_t _SEEN, _STRUCTURES


cdef class Rates:
    cdef readonly list means
    cdef list _tries
    cdef Py_ssize_t _memory

    cdef like(self, Rates other)
    cpdef Py_ssize_t tries(self, Py_ssize_t way) except -1
    @cython.locals(tries=Py_ssize_t, mean=double)
    cpdef learn(self, Py_ssize_t way, double result)
    @cython.locals(total=double, way=Py_ssize_t, mean=double, roll=double, left=double)
    cpdef Py_ssize_t pick(self, random, Py_ssize_t ways) except -1


cdef class Tries:
    cdef object _random
    cdef dict _tries

    @cython.locals(tried=double)
    cpdef bint enough(self, fine) except -1
