cimport cython
from libc cimport math

from rlcheck.learners._exploration cimport below
from rlcheck.learners.diverse.rates cimport Rates
from rlcheck.learners.diverse.tree cimport Listing, Span

cdef Py_ssize_t _MOST, _LEAVES, _OF, _SIZES, _MEMORY
cdef double _SPREAD, _REPLACE, _LEAST


cdef class Entry:
    cdef readonly object key
    cdef public Span root
    cdef readonly double standing
    cdef readonly Py_ssize_t count
    cdef public double uses
    cdef Listing listing

    cpdef Listing listed(self)


cdef class Shelf:
    cdef readonly dict by_key
    cdef object _random
    cdef list _sizes
    cdef list _weights
    cdef Rates _rates
    cdef readonly Py_ssize_t _leaves

    @cython.locals(entry=Entry, size=Py_ssize_t)
    cpdef Py_ssize_t add(self, key, Span root, double standing) except -1
    @cython.locals(group=list, entry=Entry, other=Entry)
    cpdef Entry parent(self)
    @cython.locals(size=Py_ssize_t)
    cpdef learn(self, Entry entry, double worth)
    @cython.locals(total=double, size=Py_ssize_t, weight=double, roll=double, left=double, last=Py_ssize_t)
    cdef list _group(self)
    @cython.locals(roll=double, entry=Entry)
    cdef Entry _any(self, list group)
    @cython.locals(worth=double)
    cdef _weigh(self, Py_ssize_t size)
    @cython.locals(size=Py_ssize_t, other=Py_ssize_t, group=list, place=Py_ssize_t, found=Entry, entry=Entry)
    cdef _drop(self)


@cython.locals(size=Py_ssize_t, leaves=Py_ssize_t)
cdef Py_ssize_t size_of(Span root)
