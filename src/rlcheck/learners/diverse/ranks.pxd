cimport cython

from rlcheck.learners._exploration cimport below
from rlcheck.learners.diverse.rates cimport Rates
from rlcheck.learners.diverse.script cimport Script, like, moved
from rlcheck.learners.diverse.tree cimport Item, Leaf, Listing, Span, values_in

cdef Py_ssize_t _ABOVE_LAST, _BELOW_LAST, _ABOVE_OUTER, _BELOW_OUTER, _KEEP, _FREE, _ANCHORS
cdef Py_ssize_t _KEEP_ALL, _RANK_ALL, _FREE_ALL, _TREATMENTS, _MEMORY, _PLACES, _SURE
cdef double _KIND, _LOOSE, _NOWHERE


cdef class Ranks:
    cdef object _random
    cdef readonly dict _anchors
    cdef readonly Rates _anywhere
    cdef readonly dict _treatments
    cdef readonly dict _loose
    cdef readonly list domains
    cdef list _picked
    cdef Rates _tweaked

    cpdef begin(self)
    @cython.locals(rates=Rates, way=Py_ssize_t)
    cpdef learn(self, double valid, bint single)
    @cython.locals(rates=Rates)
    cpdef bint is_kind(self, n) except -1
    @cython.locals(
        mine=list, first=Py_ssize_t, last=Py_ssize_t, found=list, before=list, there=list, after=list,
        others=list, under=double, over=double, anchor=double, above=bint, how=Py_ssize_t, moves=dict,
        first_item=Item,
    )
    cpdef list fit(self, Listing listing, Py_ssize_t number, Py_ssize_t start, Py_ssize_t end, list items)
    @cython.locals(leaf=Leaf, other=Leaf)
    cpdef tweak(self, Listing listing)
    @cython.locals(values=list, script=Script, treatment=Rates, how=Py_ssize_t)
    cpdef Script settle(self, Span root)
    @cython.locals(values=list, script=Script)
    cpdef Script varied(self, Span root)
    @cython.locals(found=list, kept=dict, leaf=Leaf)
    cdef bint _settle_domain(self, list values, n, Py_ssize_t how, Script script) except -1
    @cython.locals(rank=Py_ssize_t, left=Py_ssize_t, found=list, index=Py_ssize_t, chosen=set, roll=double)
    cpdef list spread(self, Py_ssize_t many, n)
    @cython.locals(rates=Rates, how=Py_ssize_t)
    cdef Py_ssize_t _anchor(self, Py_ssize_t head, Py_ssize_t place) except -1
    @cython.locals(rates=Rates)
    cdef double _looseness(self, site) except -1.0
    @cython.locals(roll=double, same=list, new=Leaf, at=double)
    cdef Leaf _another(self, list values, Leaf leaf)
    cdef Leaf _nudged(self, Leaf leaf)
    @cython.locals(place=Py_ssize_t, leaf=Leaf, rates=Rates)
    cdef _loosen(self, list values, Script script)


@cython.locals(found=list, leaf=Leaf)
cdef list _domains(list values)
@cython.locals(found=list, place=Py_ssize_t, leaf=Leaf)
cdef list _positions(list values, n, Py_ssize_t first, Py_ssize_t last)
@cython.locals(leaf=Leaf, found=bint)
cdef bint _unsettled(list values, n) except -1
@cython.locals(made=dict, last=Py_ssize_t, waiting=list, at=double, rank=Py_ssize_t)
cdef dict _kept(list found, n)
@cython.locals(under=double, over=double, other=double)
cdef tuple _gap(list others, double low, double high)
@cython.locals(under=double, over=double)
cdef tuple _beside(list others, double anchor, bint above)
@cython.locals(step=double, made=dict, rank=Py_ssize_t)
cdef dict _between(double under, double over, list found)
@cython.locals(span=Span, items=list, at=Py_ssize_t, item=Item, leaf=Leaf)
cdef double _around(Listing listing, Py_ssize_t number, Py_ssize_t place, n) except? -1.0
