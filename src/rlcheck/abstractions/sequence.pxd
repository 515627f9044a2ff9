cimport cython

from rlcheck._sys cimport FrameType
from rlcheck.abilities cimport AbstractionBase
from rlcheck.choice cimport ChoicePoint
from rlcheck.states cimport KnownState, States


cdef class Sequence(AbstractionBase):
    cdef readonly Py_ssize_t window
    cdef States _states
    cdef KnownState _state

    @cython.locals(other=Sequence)
    cpdef Sequence fork(self)
    cpdef start(self, FrameType frame)
    cpdef state(self, FrameType frame)
    @cython.locals(state=KnownState)
    cpdef record(self, ChoicePoint point, index)
    cpdef finish(self)
