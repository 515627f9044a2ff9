cimport cython

from rlcheck._sys cimport FrameType
from rlcheck.abilities cimport AbstractionBase
from rlcheck.choice cimport ChoicePoint, ChoicePoints
from rlcheck.states cimport KnownState, OpenSpan, Place, States


cdef class Level:
    cdef FrameType frame
    cdef KnownState inside
    cdef tuple outside
    cdef Py_ssize_t made
    cdef OpenSpan span


cdef class CallTree(AbstractionBase):
    cdef readonly Py_ssize_t window
    cdef readonly Py_ssize_t recent
    cdef States _states
    cdef ChoicePoints _calls
    cdef KnownState _empty
    cdef list _levels
    cdef readonly Py_ssize_t _depth
    cdef Level _top

    @cython.locals(other=CallTree)
    cpdef CallTree fork(self)
    cpdef start(self, FrameType frame)
    cpdef state(self, FrameType frame)
    @cython.locals(before=KnownState, after=KnownState)
    cpdef record(self, ChoicePoint point, index)
    cpdef finish(self)
    @cython.locals(depth=Py_ssize_t, caller=FrameType, known=FrameType, level=Level)
    cdef _move_to(self, FrameType frame)
    @cython.locals(outer=FrameType, depth=Py_ssize_t, level=Level)
    cdef _enter_through_helpers(self, FrameType frame)
    cdef _unwind(self, Py_ssize_t depth)
    cdef _push(self, FrameType frame)
    cdef _enter(self, FrameType frame, KnownState inside)
    @cython.locals(call=ChoicePoint, before=KnownState, after=KnownState)
    cdef KnownState _called(self)


cdef class Frames(CallTree):
    @cython.locals(top=Level)
    cpdef state(self, FrameType frame)
    cpdef record(self, ChoicePoint point, index)
    @cython.locals(outside=tuple, span=OpenSpan, called=KnownState, label=Py_ssize_t)
    cdef _push(self, FrameType frame)
