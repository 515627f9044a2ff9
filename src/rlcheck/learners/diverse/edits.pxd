cimport cython

from rlcheck.learners._exploration cimport below
from rlcheck.learners.diverse.archive cimport Archive
from rlcheck.learners.diverse.donors cimport Donors
from rlcheck.learners.diverse.echoes cimport echo
from rlcheck.learners.diverse.kin cimport Kin, run_of
from rlcheck.learners.diverse.loops cimport Runs
from rlcheck.learners.diverse.ranks cimport Ranks
from rlcheck.learners.diverse.rates cimport Rates, Tries
from rlcheck.learners.diverse.runs cimport counted, is_loop, like_in, recount, replace_alike, spans_like
from rlcheck.learners.diverse.script cimport Script, changed
from rlcheck.learners.diverse.shelf cimport Entry
from rlcheck.learners.diverse.tree cimport Item, Leaf, Listing, Span, digest, leaf_at, span_at

cdef double _AGAIN, _NEAR, _OF_VALUE, _SPENT, _TOGETHER, _FLAT
cdef Py_ssize_t _TWINS, _TRIES, _MEMORY, _MANY


cdef class Editor:
    cdef readonly Ranks ranks
    cdef readonly Kin kin
    cdef readonly double standing
    cdef object _random
    cdef Archive _archive
    cdef Donors _donors
    cdef Runs _runs
    cdef Span _root
    cdef Listing _listing
    cdef Span _near
    cdef Entry _entry
    cdef Rates _several
    cdef Span _before
    cdef Span _after
    cdef Py_ssize_t _edits
    cdef bint _open
    cdef Tries _tries

    @cython.locals(script=Script, left=Py_ssize_t)
    cpdef Script script(self, Py_ssize_t way)
    cdef _edit_some(self, Py_ssize_t way)
    cpdef rate(self, double worth, bint diverted)
    @cython.locals(after=Span)
    cpdef learn(self, bint valid, Span landed)
    cdef _begin(self)
    @cython.locals(
        listing=Listing, first=Py_ssize_t, end=Py_ssize_t, numbers=list, number=Py_ssize_t, new=Span, old=Span
    )
    cdef _edit(self, Py_ssize_t way)
    @cython.locals(number=Py_ssize_t, other=Py_ssize_t)
    cdef Py_ssize_t _target(self, list numbers) except -1
    @cython.locals(listing=Listing, outer=Py_ssize_t, around=Span, items=list)
    cdef _put(self, Py_ssize_t number, Span new)
    @cython.locals(listing=Listing, place=Py_ssize_t, old=Span, new=list)
    cdef _replace(self, Py_ssize_t number, Span body)
    @cython.locals(
        listing=Listing, small=list, number=Py_ssize_t, place=Py_ssize_t, leaf=Leaf, new=Leaf,
    )
    cdef _tweak(self, Py_ssize_t first, Py_ssize_t end)
    @cython.locals(old=Span, leaf=Leaf, items=list)
    cdef _put_leaf(self, Py_ssize_t number, Py_ssize_t place, Leaf new)
    cdef bint _tweak_value(self) except -1
    @cython.locals(changes=dict)
    cdef _echo(self)
    @cython.locals(kin=Span, donor=Span)
    cdef Span _body_for(self, Span old, Py_ssize_t way)
    @cython.locals(around=Span, items=list, places=list, old=Span, body=Span)
    cdef _twins(self, Py_ssize_t outer)
    @cython.locals(around=Span, items=list, places=list, one=Py_ssize_t, other=Py_ssize_t)
    cdef _swap(self, Py_ssize_t outer)
    @cython.locals(around=Span, number=Py_ssize_t)
    cdef _put_all(self, Py_ssize_t outer, list places, list bodies)
    @cython.locals(
        listing=Listing, runs=Runs, number=Py_ssize_t, old=Span, items=list, start=Py_ssize_t, end=Py_ssize_t,
        first=Item, head=Py_ssize_t, new=list, made=list,
    )
    cdef _change_run(self)
