cimport cython

from rlcheck.learners._exploration cimport below
from rlcheck.learners.diverse.tree cimport Item, Leaf, Listing, Span, digest, first_head, mix, span_at

cdef double _SHRINK


@cython.locals(first=Item, item=Item, head=Py_ssize_t, place=Py_ssize_t, found=list)
cpdef list ends_of(list items, Py_ssize_t start)
@cython.locals(ends=list)
cpdef Py_ssize_t end_of_run(list items, Py_ssize_t start, random) except -1
cpdef unsigned long long neighbours(list items, Py_ssize_t place) except? 0
cdef unsigned long long _answer(Item item) except? 0
@cython.locals(starts=list, first=Py_ssize_t, ends=list)
cpdef list any_run(list items, Py_ssize_t head, random)
@cython.locals(places=list, place=Py_ssize_t, first=Py_ssize_t)
cpdef list spans_like(list items, random)
@cython.locals(
    first=Py_ssize_t, before=Py_ssize_t, after=Py_ssize_t, item=Item, leaf=Leaf, index=Py_ssize_t
)
@cython.locals(span=Span)
cdef bint _has_structure(Item item)
cpdef recount(list old, list new, Py_ssize_t start, Py_ssize_t head)
@cython.locals(end=Py_ssize_t, item=Item)
cdef Py_ssize_t _length(list items, Py_ssize_t first, Py_ssize_t head)
cpdef double cube(double x) noexcept


@cython.locals(first=Py_ssize_t, found=Span, body=Span)
cpdef Span like_in(Listing listing, Span old, random)
@cython.locals(outer=Py_ssize_t, place=Py_ssize_t, around=Span, old=Span, count=Leaf, items=list)
cpdef tuple counted(Listing listing, Py_ssize_t number, Span new, Py_ssize_t head)
@cython.locals(leaf=Leaf, rounds=Py_ssize_t)
cpdef Leaf recounted(Item before, list old, list new, Py_ssize_t head)
@cython.locals(place=Py_ssize_t, item=Item, leaf=Leaf)
cpdef replace_alike(list items, Leaf old, index)
@cython.locals(found=Py_ssize_t, place=Py_ssize_t, item=Item)
cdef Py_ssize_t _count(list items, Py_ssize_t head) except -1
@cython.locals(items=list, head=Py_ssize_t, place=Py_ssize_t, item=Item)
cpdef bint is_loop(Span span) except -1
@cython.locals(last=Py_ssize_t, before=Py_ssize_t)
cdef bint _is_round(list items, Py_ssize_t start, list ends) except -1
