cimport cython

from rlcheck cimport _sys as sys
from rlcheck._sys cimport FrameType
from rlcheck.abilities cimport AbstractionBase, LearnerBase
from rlcheck.choice cimport ChoicePoint, ChoicePoints
from rlcheck.episode cimport Episode


cdef ChoicePoint _ANYWHERE
cdef object _INVALID


cdef class Guide:
    cdef readonly object learner
    cdef readonly LearnerBase abilities
    cdef readonly AbstractionBase abstraction
    cdef Py_ssize_t _max_choices
    cdef readonly list observers
    cdef readonly ChoicePoints points
    cdef object _reward
    cdef object _characteristic
    cdef readonly object session
    cdef readonly bint noting
    cdef readonly bint steps
    cdef set _seen
    cdef Episode _episode
    cdef readonly list choices
    cdef list _sizes
    cdef Py_ssize_t _room
    cdef bint _blind
    cdef object _examples
    cdef object _lead
    cdef FrameType _root

    @cython.locals(other=Guide)
    cpdef Guide fork(self, LearnerBase learner, AbstractionBase abstraction)
    cpdef Episode start(self, FrameType frame=*)
    cpdef draw(self, n, FrameType frame, weights=*)
    cpdef discard(self, since)
    cpdef made(self, value)
    cpdef reward(self, value)
    cpdef Episode finish(self, outcome)
    cpdef abandon(self)
    cdef _decide_in(self, FrameType frame, ChoicePoint point, n, weights, take)
    cdef _decide(self, ChoicePoint point, state, n, weights, take)
    cdef _example(self, n)
    cdef _advance(self)
    cdef _pay(self, Episode episode, value)
    cdef Episode _running(self, str verb)
    cdef ChoicePoint _point(self, at)
    cdef _close(self)
    cdef _no_room(self)
