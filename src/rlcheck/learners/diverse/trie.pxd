cimport cython

from rlcheck cimport _gc


cdef set _NOTHING


cdef class _Node:
    cdef object n
    cdef readonly set dead
    cdef dict below

    cdef bury(self, index)
    cdef grow(self, index, below)


cdef class Trie:
    cdef readonly Py_ssize_t entries
    cdef readonly bint exhausted
    cdef Py_ssize_t _most
    cdef _Node _root
    cdef _Node _at
    cdef tuple _tail
    cdef list _path
    cdef list _taken
    cdef bint _forced

    @cython.locals(node=_Node)
    cpdef set dead(self, n)
    @cython.locals(node=_Node)
    cpdef step(self, index)
    @cython.locals(path=list, taken=list, known=Py_ssize_t, last=_Node)
    cpdef close(self)
    @cython.locals(place=Py_ssize_t, later=Py_ssize_t)
    cpdef enter(self, choices, sizes)
    cpdef drop(self)
    @cython.locals(parent=_Node, node=_Node)
    cdef _Node _unfold(self, tuple tail, n)
    @cython.locals(depth=Py_ssize_t, node=_Node)
    cdef _bury(self)
