from rlcheck.abilities cimport LearnerBase
from rlcheck.choice cimport ChoicePoint
from rlcheck.episode cimport Episode


cdef class Portfolio(LearnerBase):
    cdef readonly object rng
    cdef object _turns
    cdef readonly list members
    cdef readonly object abstraction
    cdef readonly object coverage
    cdef readonly list episodes
    cdef readonly bint looking
    cdef object _bandit
    cdef object _goals
    cdef object _lesson
    cdef object _clock
    cdef object _started
    cdef list _watching
    cdef readonly list _observing
    cdef Py_ssize_t _to_observe
    cdef readonly Py_ssize_t _turn
    cdef LearnerBase _member
    cdef list _observers
    cdef Py_ssize_t _left

    cpdef select(self, ChoicePoint point, state, n)
    cpdef select_weighted(self, ChoicePoint point, state, n, weights)
    cpdef observe(self, ChoicePoint point, state, n, index)
    cpdef reward(self, double value)
    cpdef update(self, Episode episode)
    cpdef drop(self)
    cdef _show(self, ChoicePoint point, state, n, index)
    cdef _end_observed(self, Episode episode)
    cdef _begin(self, Py_ssize_t place)
    cdef _teach(self)
    cdef _settle(self)
