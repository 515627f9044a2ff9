cimport cython

from rlcheck._sys cimport FrameType
from rlcheck.abilities cimport AbstractionBase
from rlcheck.choice cimport ChoicePoint
from rlcheck.states cimport KnownState, OpenSpan, Place, States


cdef class _Span:
    cdef object label
    cdef KnownState state
    cdef tuple outside
    cdef Py_ssize_t choices
    cdef object first
    cdef OpenSpan opened


cdef class Spans(AbstractionBase):
    cdef readonly Py_ssize_t window
    cdef readonly Py_ssize_t recent
    cdef public bint quiet
    cdef readonly object label
    cdef States _states
    cdef dict _labels
    cdef tuple _context
    cdef list _stack

    cpdef start(self, FrameType frame)
    cpdef enter(self, label)
    @cython.locals(span=_Span, outer=_Span)
    cpdef leave(self)
    cpdef context(self, value)
    @cython.locals(span=_Span)
    cpdef state(self, FrameType frame)
    cpdef record(self, ChoicePoint point, index)
    cpdef finish(self)
    @cython.locals(span=_Span)
    cdef _Span _innermost(self, Py_ssize_t depth)
    @cython.locals(span=_Span, outer=_Span, depth=Py_ssize_t)
    cdef OpenSpan _opened(self)
    @cython.locals(span=_Span, after=KnownState)
    cdef _add(self, token)
    @cython.locals(outer=_Span, called=KnownState)
    cdef _begin(self, _Span span)
    cdef _number(self, label)
