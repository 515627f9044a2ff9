cimport cython

from rlcheck.learners._exploration cimport below
from rlcheck.learners.diverse.tree cimport Item, Span, digest, mix

cdef Py_ssize_t _MOST, _EACH, _LEAVES
cdef double _FURTHER


cdef class Kin:
    cdef object _random
    cdef readonly dict _of

    cpdef forget(self)
    cpdef link(self, Span one, Span other)
    @cython.locals(found=list, span=Span, other=Span)
    cpdef Span of(self, fine)
    @cython.locals(found=list, place=Py_ssize_t, known=Span)
    cdef _add(self, fine, Span span)


@cython.locals(run=Span)
cpdef Span run_of(Py_ssize_t head, list items)
