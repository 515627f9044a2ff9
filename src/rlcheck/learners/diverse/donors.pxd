cimport cython

from rlcheck.learners._exploration cimport below
from rlcheck.learners.diverse.tree cimport Item, Span

cdef Py_ssize_t _EACH, _KINDS, _LEAVES, _MORE


cdef class Donors:
    cdef object _random
    cdef dict _by_first
    cdef dict _by_head

    @cython.locals(span=Span, other=Span, first=Item)
    cpdef keep(self, list spans)
    @cython.locals(first=Item, known=list, found=Span, span=Span, tries=Py_ssize_t)
    cpdef Span like(self, Span old)
    cpdef Span graft(self, Py_ssize_t head, double often)
    cpdef Span graft_whole(self, Py_ssize_t head, double often)
    cdef Span _any(self, list known, double often)
    @cython.locals(span=Span)
    cdef Span _unlike(self, list known, Span old)
    @cython.locals(kept=dict, known=list)
    cdef _add(self, dict kept, key, Span span)
