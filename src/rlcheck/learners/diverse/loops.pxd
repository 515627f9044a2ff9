cimport cython

from rlcheck.learners._exploration cimport below
from rlcheck.learners.diverse.archive cimport Archive
from rlcheck.learners.diverse.donors cimport Donors
from rlcheck.learners.diverse.kin cimport Kin, run_of
from rlcheck.learners.diverse.runs cimport any_run, end_of_run, ends_of, is_loop
from rlcheck.learners.diverse.tree cimport Item, Leaf, Listing, Span, first_head, item_head

cdef Py_ssize_t _TRIES, _ROUNDS
cdef double _NEW, _NEW_LONG, _KIN, _NOTHING


cdef class Runs:
    cdef object _random
    cdef Archive _archive
    cdef Donors _donors
    cdef Kin _kin
    cdef readonly Py_ssize_t number
    cdef readonly Py_ssize_t start
    cdef readonly Py_ssize_t end
    cdef readonly list run

    @cython.locals(tries=Py_ssize_t, span=Span, items=list, run=list)
    cpdef bint pick(self, Listing listing) except -1
    @cython.locals(items=list, head=Py_ssize_t, kin=Span, body=Span)
    cdef list _other(self, Listing listing, Span around)
    @cython.locals(ends=list, before=list, after=list)
    cdef list _rounds(self, list items)
    @cython.locals(place=Py_ssize_t, item=Item)
    cdef list _round(self, list items)
