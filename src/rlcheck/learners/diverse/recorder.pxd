cimport cython

from rlcheck.learners.diverse.donors cimport Donors
from rlcheck.learners.diverse.relations cimport Relations
from rlcheck.learners.diverse.script cimport Script
from rlcheck.learners.diverse.tree cimport Item, Leaf, Span, digest, mix
from rlcheck.learners.diverse.values cimport Values
from rlcheck.states cimport OpenSpan

cdef Py_ssize_t _AHEAD
cdef double _BY_CHANCE, _BY_MODEL


cdef class Level:
    cdef OpenSpan opened
    cdef Span span
    cdef list items
    cdef Py_ssize_t place
    cdef unsigned long long site
    cdef bint chance


cdef class Recorder:
    cdef readonly bint strayed
    cdef public bint diverted
    cdef readonly Span landed
    cdef Values _values
    cdef Donors _donors
    cdef readonly Relations relations
    cdef bint _grafting
    cdef bint _chance
    cdef bint _all_chance
    cdef Script _script
    cdef Leaf _found
    cdef Py_ssize_t _depth
    cdef Span _root
    cdef Level _top
    cdef list _levels
    cdef readonly list spans
    cdef list _log

    cpdef begin(self, Script script)
    @cython.locals(
        top=Level, levels=list, outermost=Level, node=OpenSpan, new=list, at=OpenSpan, depth=Py_ssize_t,
        level=Level,
    )
    cpdef move(self, OpenSpan opened)
    @cython.locals(top=Level, items=list, place=Py_ssize_t, end=Py_ssize_t, item=Item, leaf=Leaf, graft=Span)
    cpdef wanted(self, Py_ssize_t head, n)
    @cython.locals(span=Span, found=Leaf, leaf=Leaf, site=Py_ssize_t)
    cpdef add(self, Py_ssize_t head, n, index)
    @cython.locals(span=Span)
    cpdef cut(self, Py_ssize_t since)
    cpdef Span finish(self)
    cpdef give(self)
    @cython.locals(head=Py_ssize_t, span=Span, outer=Level, inner=list, graft=Span)
    cdef _open(self, OpenSpan opened)
    @cython.locals(items=list, place=Py_ssize_t, item=Item, inner=Span)
    cdef list _script_of(self, Level outer, Py_ssize_t head, Span span)
    @cython.locals(top=Level)
    cdef _enter(self, OpenSpan opened, Span span, list items)
    cdef _close(self)
