from rlcheck.abilities cimport LearnerBase
from rlcheck.choice cimport ChoicePoint
from rlcheck.learners cimport _exploration


cdef class Uniform(LearnerBase):
    cdef readonly object rng

    cpdef select(self, ChoicePoint point, state, n)
    cpdef select_weighted(self, ChoicePoint point, state, n, weights)
