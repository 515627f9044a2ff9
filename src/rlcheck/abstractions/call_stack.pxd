cimport cython

from rlcheck._sys cimport FrameType
from rlcheck.abstractions.call_tree cimport CallTree, Level
from rlcheck.choice cimport ChoicePoint
from rlcheck.states cimport KnownState


cdef class CallStack(CallTree):
    cdef readonly str history
    cdef bint _of_states
    cdef bint _of_actions
    cdef bint _of_rewards
    cdef tuple _past
    cdef KnownState _at
    cdef double _rewarded
    cdef list _codes

    @cython.locals(other=CallStack)
    cpdef CallTree fork(self)
    @cython.locals(level=Level)
    cpdef state(self, FrameType frame)
    cpdef reward(self, value)
    @cython.locals(entry=list)
    cpdef record(self, ChoicePoint point, index)
    cpdef finish(self)
    cdef _tell(self)
    @cython.locals(before=KnownState, after=KnownState, frame=FrameType, place=Py_ssize_t)
    cdef KnownState _called(self)
    @cython.locals(entered=list, depth=Py_ssize_t, outer=FrameType, place=Py_ssize_t)
    cdef _move_to(self, FrameType frame)
    @cython.locals(level=Level, depth=Py_ssize_t)
    cdef Py_ssize_t _depth_of(self, FrameType frame)
    cdef KnownState _beyond(self, KnownState before, frame)
