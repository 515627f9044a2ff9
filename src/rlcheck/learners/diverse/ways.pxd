cimport cython

from rlcheck.learners.diverse.archive cimport Archive
from rlcheck.learners.diverse.edits cimport Editor
from rlcheck.learners.diverse.rates cimport Rates
from rlcheck.learners.diverse.scatter cimport Scatter
from rlcheck.learners.diverse.script cimport Script
from rlcheck.learners.diverse.values cimport Values
from rlcheck.learners.diverse.variants cimport Variants

cdef double _COLD, _SMALL_STEPS, _AFRESH, _AFRESH_SELDOM, _LEAPS, _TRIAL, NEW
cdef double _CLIMB, _CLIMB_STUCK, _TIRED, _CLIMBS, _ONE_CHOICE
cdef Py_ssize_t _PATIENCE


cdef class Ways:
    cdef readonly Rates rates
    cdef readonly Scatter scatter
    cdef object _random
    cdef Archive _archive
    cdef Variants _variants
    cdef Editor _editor
    cdef Values _values
    cdef public Py_ssize_t mode
    cdef public Py_ssize_t trial
    cdef Py_ssize_t _idle

    @cython.locals(archive=Archive, warm=bint, script=Script)
    cpdef Script script(self, bint looking)
    @cython.locals(script=Script)
    cdef Script _climb(self)
    cdef Py_ssize_t _pick(self) except -1
    cpdef bint looks(self) except -1
    cpdef note(self, double rare)
    cdef double _effort(self, double often) except -1.0
    @cython.locals(often=double)
    cpdef bint blind(self) except -1
    @cython.locals(roll=double)
    cpdef Py_ssize_t leap(self) except -1
