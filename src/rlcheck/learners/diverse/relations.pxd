cimport cython

from rlcheck.learners._exploration cimport below
from rlcheck.learners.diverse.rates cimport Rates
from rlcheck.learners.diverse.tree cimport Item, Leaf, Span, mix

cdef Py_ssize_t _REACH, _FIRST, _LAST, _INSIDE, _ROUNDS, _MOST, _MEMORY, _ORDER, _UNEQUAL, _DISTANCE
cdef Py_ssize_t _LESS, _EQUAL, _GREATER, _ALL
cdef double _NEAR


cdef class Relation:
    cdef Py_ssize_t later
    cdef Py_ssize_t earlier
    cdef Py_ssize_t need
    cdef Py_ssize_t count
    cdef Py_ssize_t last
    cdef Py_ssize_t before
    cdef readonly Py_ssize_t seen
    cdef readonly Py_ssize_t gap
    cdef readonly bint steady
    cdef Py_ssize_t varied
    cdef readonly bint known

    @cython.locals(side=Py_ssize_t)
    cdef see(self, Py_ssize_t later, Py_ssize_t earlier)


cdef class Relations:
    cdef object _random
    cdef readonly dict _known
    cdef set _points
    cdef public bint held
    cdef readonly bint bent
    cdef Rates _rates
    cdef list _spans
    cdef list _places
    cdef list _rounds
    cdef list _pairs
    cdef list _others
    cdef Py_ssize_t _low
    cdef Py_ssize_t _high
    cdef list _out

    cpdef decide(self, bint may)
    cpdef rate(self, double worth)
    cpdef begin(self, Span root)
    @cython.locals(outer=Span, items=list, first=Py_ssize_t, head=Py_ssize_t, item=Item)
    cpdef enter(self, Span span, Py_ssize_t place)
    cpdef leave(self)
    cpdef learn(self, Span root)
    @cython.locals(
        low=Py_ssize_t, high=Py_ssize_t, out=list, number=Py_ssize_t, relation=Relation, other=Leaf,
        index=Py_ssize_t, inner=Span,
    )
    cpdef bint narrow(self, Py_ssize_t head, n) except -1
    cpdef bint respects(self, index) except -1
    cpdef bint fits(self, index) except -1
    @cython.locals(many=Py_ssize_t, roll=double, far=Py_ssize_t, index=Py_ssize_t)
    cpdef any(self, set dead)
    @cython.locals(found=set, index=Py_ssize_t)
    cpdef set others(self, Py_ssize_t n, set dead)
    @cython.locals(items=list, place=Py_ssize_t, item=Item, leaf=Leaf, inner=Span)
    cdef _walk(self, Span span)
    @cython.locals(number=Py_ssize_t, other=Leaf, relation=Relation)
    cdef _see(self, Leaf leaf, Py_ssize_t place)
    @cython.locals(
        top=Py_ssize_t, branch=cython.ulonglong, under=Py_ssize_t, rounds=Py_ssize_t, up=Py_ssize_t, number=Py_ssize_t, span=Span,
        kind=cython.ulonglong, items=list, place=Py_ssize_t,
    )
    cdef _gather(self, Py_ssize_t head, Py_ssize_t end)
    @cython.locals(place=Py_ssize_t, item=Item)
    cdef _add_alike(self, list items, Py_ssize_t head, Py_ssize_t end, unsigned long long kind)
    @cython.locals(span=Span, place=Py_ssize_t, inner=Item)
    cdef _add(self, Item item, unsigned long long kind, unsigned long long branch, Py_ssize_t under)
    cdef _pair(self, Leaf other, unsigned long long kind)
