cimport cython

from rlcheck cimport _gc
from rlcheck.learners.diverse.values cimport Values

cdef unsigned long long _MASK, _FACTOR, _ADDEND
cdef double _NOWHERE


cdef class Item:
    cdef readonly Py_ssize_t head


cdef class Leaf(Item):
    cdef readonly object n
    cdef readonly object index
    cdef readonly bint value
    cdef public Py_ssize_t site
    cdef public double at


cdef class Span(Item):
    cdef public list items
    cdef public unsigned long long path
    cdef public unsigned long long fine
    cdef public Py_ssize_t leaves
    cdef readonly Py_ssize_t small
    cdef public bint open
    cdef public bint chance
    cdef public bint mark

    cdef like(self, Span other)


cpdef unsigned long long mix(unsigned long long seed, long long value) noexcept
@cython.locals(
    path=cython.ulonglong, fine=cython.ulonglong, leaves=Py_ssize_t, small=Py_ssize_t, item=Item, leaf=Leaf,
    inner=Span,
)
cpdef digest(Span span)
@cython.locals(items=list, place=Py_ssize_t, item=Item, leaf=Leaf)
cpdef revalue(Span span, Values values)
@cython.locals(item=Item, leaf=Leaf, inner=Span)
cpdef values_in(list items, list found)


cpdef Span span_at(list items, Py_ssize_t place)
cpdef Leaf leaf_at(Span span, Py_ssize_t place)
@cython.locals(item=Item)
cpdef Py_ssize_t item_head(list items, Py_ssize_t place) except? -1
@cython.locals(item=Item)
cpdef Py_ssize_t first_head(Span span) except? -1


cdef class Listing:
    cdef readonly list spans
    cdef readonly list outer
    cdef readonly list place
    cdef readonly list end
    cdef readonly list inner
    cdef readonly list before
    cdef readonly list values
    cdef readonly list small

    @cython.locals(outer=Py_ssize_t, old=Span, items=list)
    cdef Span put(self, Py_ssize_t number, Span new)
    @cython.locals(number=Py_ssize_t)
    cdef Py_ssize_t number_of(self, Span span) except -1
    @cython.locals(number=Py_ssize_t)
    cdef Py_ssize_t inside(self, Py_ssize_t outer, Py_ssize_t place) except -1
    @cython.locals(found=list, span=Span)
    cdef Py_ssize_t values_before(self, Py_ssize_t number, Py_ssize_t place)
    @cython.locals(
        number=Py_ssize_t, items=list, many=bint, item=Item, leaf=Leaf, kid=Span,
        each=Py_ssize_t,
    )
    cdef _walk(self, Span span, Py_ssize_t outer, Py_ssize_t at, bint inner)
