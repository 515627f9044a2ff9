cimport cython

from rlcheck.learners.diverse.tree cimport Item, Leaf, Span, digest


cdef class Script:
    cdef readonly Span root
    cdef public bint chance
    cdef readonly dict changes
    cdef readonly dict moves

    @cython.locals(moves=dict)
    cpdef index_of(self, Leaf leaf)


@cython.locals(made=list, item=Item, inner=Span, new=Span)
cpdef Span changed(Span span, dict changes)
@cython.locals(made=list, item=Item, inner=Span, old=Span)
cpdef list moved(list items, dict moves)
@cython.locals(new=Leaf)
cdef Leaf _moved_leaf(Leaf leaf, dict moves)
@cython.locals(new=Leaf)
cpdef Leaf like(Leaf leaf, index)
