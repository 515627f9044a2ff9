cimport cython

from rlcheck.learners._exploration cimport below
from rlcheck.learners.diverse.rates cimport Rates
from rlcheck.learners.diverse.shelf cimport Entry, Shelf
from rlcheck.learners.diverse.tree cimport Leaf, Listing, Span, leaf_at, mix, revalue
from rlcheck.learners.diverse.values cimport Values

cdef Py_ssize_t _OF, _MEMORY, _EXACT, _FRESH, _NOVEL, _LOOP, _BY_ANSWERS, _BY_PART, _AT_RANDOM, _SOURCES
cdef double _OF_PATH, _OF_FINE, _OF_PART


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
    cdef dict _features
    cdef dict _tried

    @cython.locals(coarse=double, fine=double, count=Py_ssize_t)
    cpdef double add(self, Span root, double near, double standing) except -1.0
    @cython.locals(
        made=cython.ulonglong, head=Py_ssize_t, last=Leaf, run=list, leaf=Leaf, feature=cython.ulonglong,
        part=cython.ulonglong, inner=Span,
    )
    cdef unsigned long long _outline(self, Span span) except? 0
    @cython.locals(shelf=Shelf)
    cpdef Entry parent(self)
    cpdef learn(self, Entry entry, double worth)
    @cython.locals(least=Py_ssize_t, count=Py_ssize_t)
    cpdef Leaf another(self, Leaf leaf)
    @cython.locals(
        least=Py_ssize_t, best=cython.ulonglong, feature=cython.ulonglong, span=Py_ssize_t, at=Py_ssize_t,
        number=Py_ssize_t, place=Py_ssize_t, known=Py_ssize_t, leaf=Leaf,
    )
    cpdef tuple novel(self, Listing listing)
    @cython.locals(entry=Entry)
    cpdef keep_fresh(self, Span root, double standing)
    @cython.locals(kept=list, parts=dict, entry=Entry)
    cpdef refile(self, Values values)


@cython.locals(part=cython.ulonglong, pairs=set, loop=cython.ulonglong, pair=cython.ulonglong)
cdef unsigned long long _fold(unsigned long long made, list run) except? 0
cdef unsigned long long _feature(Leaf leaf, index) except? 0
cdef _beside(Leaf leaf, Leaf last)
