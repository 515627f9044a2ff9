from rlcheck.choice cimport ChoicePoint
from rlcheck.learners cimport _exploration


cdef class Uniform:
    cdef readonly object rng

    cpdef select(self, point, state, n)
    cpdef select_weighted(self, point, state, n, weights)
    cpdef reward(self, value)
    cpdef update(self, outcome)
