cimport cython

from rlcheck.learners._exploration cimport below
from rlcheck.learners.diverse.tree cimport Leaf, Listing, Span

cdef double _LONGER
cdef Py_ssize_t _LEAST


@cython.locals(
    by_size=dict, groups=list, group=list, source=Py_ssize_t, target=Py_ssize_t, changes=dict, old=Leaf,
    new=Leaf, leaf=Leaf,
)
cpdef dict echo(Listing listing, random)
@cython.locals(leaf=Leaf)
cdef _collect(Span span, dict found)
