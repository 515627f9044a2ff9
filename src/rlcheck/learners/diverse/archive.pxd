cimport cython
from libc cimport math

from rlcheck.learners._exploration cimport below
from rlcheck.learners.diverse.rates cimport Rates
from rlcheck.learners.diverse.tree cimport Leaf, Listing, Span, mix, revalue
from rlcheck.learners.diverse.values cimport Values

cdef Py_ssize_t _MOST, _LEAVES, _OF, _SIZES, _MEMORY, _EXACT, _FRESH, _BY_ANSWERS, _BY_PART, _AT_RANDOM, _SOURCES
cdef double _SPREAD, _REPLACE, _LEAST, _OF_PATH, _OF_FINE, _OF_PART


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


cdef class Archive:
    cdef readonly double best
    cdef object _random
    cdef Py_ssize_t _near
    cdef readonly Shelf coarse
    cdef readonly Shelf fine
    cdef readonly object misses
    cdef public bint climbing
    cdef readonly Shelf parts
    cdef dict _counts
    cdef list _fresh
    cdef Rates _sources
    cdef Py_ssize_t _from
    cdef unsigned long long _rarest
    cdef Py_ssize_t _least

    @cython.locals(coarse=double, fine=double)
    cpdef double add(self, Span root, double near, double standing) except -1.0
    @cython.locals(last=Leaf, leaf=Leaf, feature=cython.ulonglong, count=Py_ssize_t, inner=Span)
    cdef _count(self, Span span)
    @cython.locals(shelf=Shelf)
    cpdef Entry parent(self)
    cpdef learn(self, Entry entry, double worth)
    @cython.locals(least=Py_ssize_t, count=Py_ssize_t)
    cpdef Leaf another(self, Leaf leaf)
    @cython.locals(entry=Entry)
    cpdef keep_fresh(self, Span root, double standing)
    @cython.locals(kept=list, parts=dict, entry=Entry)
    cpdef refile(self, Values values)


@cython.locals(size=Py_ssize_t, leaves=Py_ssize_t)
cdef Py_ssize_t size_of(Span root)
cdef unsigned long long _feature(Leaf leaf, index) except? 0
cdef _beside(Leaf leaf, Leaf last)
