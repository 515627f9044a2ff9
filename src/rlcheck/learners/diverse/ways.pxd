cimport cython

from rlcheck.learners.diverse.archive cimport Archive
from rlcheck.learners.diverse.rates cimport Rates
from rlcheck.learners.diverse.variants cimport Variants

cdef double _COLD, _SMALL_STEPS, _AFRESH, _LEAPS


cdef class Ways:
    cdef readonly Rates rates
    cdef object _random
    cdef Archive _archive
    cdef Variants _variants

    cpdef Py_ssize_t pick(self) except -1
    @cython.locals(roll=double)
    cdef Py_ssize_t _leap(self) except -1
