cimport cython

from rlcheck.states cimport KnownState


cdef class Votes:
    cdef readonly double[16] weights
    cdef double[16] counts


cdef class Step:
    cdef list votes
    cdef list orders
    cdef int[3] pivots
    cdef int branch
    cdef double chance
    cdef bint followed


cdef class Site:
    cdef object n
    cdef object size
    cdef bint split
    cdef int branches
    cdef Votes common
    cdef readonly dict rows
    cdef readonly dict orders
    cdef dict kids
    cdef list visits
    cdef double[16] swarm
    cdef Py_ssize_t swarmed


cdef class Features:
    cdef dict _grains
    cdef dict _known

    cdef split(self, Py_ssize_t number, grain)
    cdef forget(self)
    cdef list of(self, state)
    @cython.locals(known=list, found=list, last=Py_ssize_t, frame=KnownState)
    cdef list _of_frames(self, tuple outside, KnownState inner, Py_ssize_t made)
    @cython.locals(found=list, age=int)
    cdef list _of_choices(self, tuple inside)


@cython.locals(
    found=list, outside=tuple, frame=KnownState, distance=Py_ssize_t, depth=Py_ssize_t, latest=dict, made=tuple
)
cpdef list related(state, number)
