from rlcheck._sys cimport FrameType
from rlcheck.choice cimport ChoicePoint
from rlcheck.episode cimport Episode


cdef class LearnerBase:
    cpdef select(self, ChoicePoint point, state, n)
    cpdef select_weighted(self, ChoicePoint point, state, n, weights)
    cpdef observe(self, ChoicePoint point, state, n, index)
    cpdef reward(self, double value)
    cpdef update(self, Episode episode)
    cpdef drop(self)


cdef class AbstractionBase:
    cpdef start(self, FrameType frame)
    cpdef state(self, FrameType frame)
    cpdef record(self, ChoicePoint point, index)
    cpdef finish(self)


cdef class RewardBase:
    pass
