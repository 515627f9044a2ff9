cimport cython

from rlcheck cimport _sys as sys
from rlcheck._sys cimport FrameType
from rlcheck.choice cimport ChoicePoint, ChoicePoints
from rlcheck.episode cimport Episode


cdef double _PROGRESS
cdef ChoicePoint _ANYWHERE
cdef object _INVALID


cdef class Guide:
    cdef readonly object learner
    cdef readonly object abstraction
    cdef readonly list observers
    cdef readonly ChoicePoints points
    cdef object _reward
    cdef object _characteristic
    cdef public object coverage
    cdef readonly bint steps
    cdef public bint graded
    cdef bint _is_late
    cdef readonly bint noting
    cdef bint _may_spare
    cdef object _see
    cdef Py_ssize_t _max_choices
    cdef set _seen
    cdef bint _may_be_blind
    cdef bint _blind
    cdef object _select
    cdef object _select_weighted
    cdef object _discard
    cdef object _state_of
    cdef object _record
    cdef object _tell_reward
    cdef Episode _episode
    cdef readonly list choices
    cdef public bint sized
    cdef list _sizes
    cdef Py_ssize_t _room
    cdef FrameType _root

    @cython.locals(other=Guide)
    cpdef Guide beside(self, learner, abstraction)
    cpdef Episode start(self, FrameType frame=*)
    cpdef draw(self, n, FrameType frame, weights=*)
    cpdef discard(self, since)
    cpdef made(self, value)
    cpdef reward(self, value)
    cpdef Episode finish(self, outcome)
    cpdef hear(self, digests)
    cpdef abandon(self)
    cdef Episode _running(self, str verb)
    cdef ChoicePoint _point(self, at)
    cdef _weighing(self, weights, n)
    cdef _enter(self)
    cdef _close(self)
    cdef _no_room(self)
