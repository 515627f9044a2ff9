cimport cython

from rlcheck._sys cimport FrameType
from rlcheck.choice cimport ChoicePoint, ChoicePoints
from rlcheck.states cimport KnownState, States


cdef class _Entry:
    cdef readonly FrameType frame
    cdef KnownState state
    cdef tuple outside


cdef class CallTree:
    cdef readonly Py_ssize_t window
    cdef readonly Py_ssize_t recent
    cdef States _states
    cdef ChoicePoints _calls
    cdef list _stack

    cpdef start(self, FrameType frame)
    @cython.locals(top=_Entry)
    cpdef state(self, FrameType frame)
    @cython.locals(top=_Entry, state=KnownState)
    cpdef record(self, ChoicePoint point, index)
    cpdef finish(self)
    @cython.locals(depth=Py_ssize_t, caller=FrameType, entry=_Entry)
    cdef _move_to(self, FrameType frame)
    @cython.locals(outer=FrameType)
    cdef _enter_through_helpers(self, FrameType frame)
    cdef _unwind(self, Py_ssize_t depth)
    @cython.locals(caller=_Entry, state=KnownState)
    cdef _push(self, FrameType frame)
    @cython.locals(after=KnownState)
    cdef KnownState _after_call(self, KnownState state, token)


cdef class Frames(CallTree):
    @cython.locals(top=_Entry)
    cpdef state(self, FrameType frame)
    @cython.locals(caller=_Entry, empty=KnownState, called=KnownState, outside=tuple)
    cdef _push(self, FrameType frame)
