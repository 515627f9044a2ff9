cimport cython
from libc cimport math

from rlcheck.learners cimport _exploration


cdef Py_ssize_t _KEPT, _AHEAD, _SCAN, _WAYS


cdef class Archive:
    cdef readonly double best
    cdef readonly bint lost
    cdef object _random
    cdef readonly list _kept
    cdef dict _ways
    cdef list _points
    cdef list _script
    cdef Py_ssize_t _place
    cdef double _leave

    @cython.locals(before=Py_ssize_t)
    cpdef Py_ssize_t keep(self, list points, list choices, double valid)
    @cython.locals(fewest=double, fewer=double)
    cpdef open(self, double brevity)
    @cython.locals(place=Py_ssize_t, end=Py_ssize_t, point=Py_ssize_t, roll=double)
    cpdef follow(self, Py_ssize_t number, n)
    cdef _graft(self, Py_ssize_t number, n)
    cdef tuple _any(self)
