cimport cython

from rlcheck.states cimport KnownState


cdef class Votes:
    cdef double[16] weights
    cdef double[16] counts


cdef class Step:
    cdef list votes
    cdef int branch
    cdef double chance


cdef class Site:
    cdef object n
    cdef object size
    cdef bint split
    cdef int branches
    cdef dict rows
    cdef dict kids
    cdef list visits
    cdef double[16] swarm
    cdef Py_ssize_t swarmed


cpdef list features(state, dict grains)
@cython.locals(found=list, inside=tuple, age=int)
cdef list _of_frames(tuple outside, KnownState inner, dict grains)
