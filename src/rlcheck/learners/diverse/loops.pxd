cimport cython

from rlcheck.learners._exploration cimport below
from rlcheck.learners.diverse.archive cimport Archive
from rlcheck.learners.diverse.donors cimport Donors
from rlcheck.learners.diverse.kin cimport Kin, run_of
from rlcheck.learners.diverse.runs cimport any_run, end_of_run, ends_of, is_loop, neighbours
from rlcheck.learners.diverse.tree cimport Item, Leaf, Listing, Span, first_head, item_head

cdef Py_ssize_t _TRIES, _ROUNDS, _LONGEST, _OF, _CONTEXTS
cdef double _NEW, _NEW_LONG, _KIN, _NOTHING, _MORE


cdef class Runs:
    cdef object _random
    cdef Archive _archive
    cdef Donors _donors
    cdef Kin _kin
    cdef readonly Py_ssize_t number
    cdef readonly Py_ssize_t start
    cdef readonly Py_ssize_t end
    cdef readonly list run
    cdef dict _tried

    @cython.locals(tries=Py_ssize_t, span=Span, items=list, run=list)
    cpdef bint pick(self, Listing listing) except -1
    @cython.locals(
        found=Py_ssize_t, least=Py_ssize_t, near=cython.ulonglong, place=Py_ssize_t, beside=cython.ulonglong,
        tried=Py_ssize_t,
    )
    cdef Py_ssize_t _start(self, list items) except -1
    @cython.locals(items=list, head=Py_ssize_t, kin=Span, body=Span)
    cdef list _other(self, Listing listing, Span around)
    @cython.locals(ends=list, model=list, made=list)
    cdef list _rounds(self, list items)
    @cython.locals(place=Py_ssize_t, item=Item)
    cdef list _round(self, list items)
