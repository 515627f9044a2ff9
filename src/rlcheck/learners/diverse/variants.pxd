cimport cython

from rlcheck.learners.diverse.ranks cimport Ranks
from rlcheck.learners.diverse.rates cimport Rates
from rlcheck.learners.diverse.script cimport Script
from rlcheck.learners.diverse.tree cimport Item, Leaf, Span

cdef Py_ssize_t _EACH, _MORE, _MEMORY
cdef double _RARE, _OFTEN, _SELDOM, _LATEST


cdef class Variants:
    cdef readonly bint active
    cdef object _random
    cdef Ranks _ranks
    cdef Rates _rates
    cdef double _new
    cdef Span _root
    cdef Py_ssize_t _left
    cdef list _choices
    cdef Py_ssize_t _made

    cpdef learn(self, double rare)
    @cython.locals(more=bint)
    cpdef begin(self, Span root, double rare)
    @cython.locals(made=Py_ssize_t)
    cpdef take(self)
    cpdef end(self, bint valid)
    cpdef drop(self)
    @cython.locals(script=Script)
    cdef _make(self)


@cython.locals(item=Item)
cdef _flatten(Span span, Script script, list found)
