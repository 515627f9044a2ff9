cimport cython

from rlcheck._sys cimport FrameType
from rlcheck.choice cimport ChoicePoint, ChoicePoints
from rlcheck.states cimport KnownState, States


cdef class CallTree:
    cdef readonly Py_ssize_t window
    cdef readonly Py_ssize_t recent
    cdef States _states
    cdef ChoicePoints _calls
    cdef readonly list _frames
    cdef list _inside

    @cython.locals(other=CallTree)
    cpdef CallTree beside(self)
    cpdef start(self, FrameType frame)
    cpdef state(self, FrameType frame)
    @cython.locals(before=KnownState, after=KnownState)
    cpdef record(self, ChoicePoint point, index)
    cpdef finish(self)
    @cython.locals(depth=Py_ssize_t, caller=FrameType)
    cdef _move_to(self, FrameType frame)
    @cython.locals(outer=FrameType)
    cdef _enter_through_helpers(self, FrameType frame)
    cdef _unwind(self, Py_ssize_t depth)
    cdef _push(self, FrameType frame)
    @cython.locals(before=KnownState, after=KnownState)
    cdef KnownState _called(self)


cdef class Frames(CallTree):
    cdef KnownState _empty
    cdef list _outside
    cdef list _made

    cpdef state(self, FrameType frame)
    cpdef record(self, ChoicePoint point, index)
    cpdef finish(self)
    cdef _unwind(self, Py_ssize_t depth)
    @cython.locals(outside=tuple)
    cdef _push(self, FrameType frame)
