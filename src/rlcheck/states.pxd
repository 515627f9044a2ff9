from rlcheck cimport _gc


cdef class KnownState:
    cdef readonly tuple parts
    cdef readonly Py_ssize_t number
    cdef readonly dict next
    cdef Py_hash_t _hash
    cdef dict _latest

    cpdef dict latest(self)


cdef class OpenSpan:
    cdef readonly Py_ssize_t label
    cdef readonly OpenSpan outer
    cdef readonly Py_ssize_t depth


cdef class Place:
    cdef readonly tuple outside
    cdef readonly KnownState inside
    cdef readonly Py_ssize_t made
    cdef readonly OpenSpan span


cdef class States:
    cdef dict _known
    cdef Py_ssize_t _made

    cpdef KnownState of(self, tuple parts)
