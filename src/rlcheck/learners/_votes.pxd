cimport cython

from rlcheck.states cimport KnownState


cdef int FAN, _PLACES, _RELATED, _FRAMES


cdef class Votes:
    cdef readonly double[16] weights
    cdef double[16] counts


cdef class Step:
    cdef list votes
    cdef Py_ssize_t voted
    cdef list orders
    cdef int[3] pivots
    cdef Py_ssize_t compared
    cdef int branch
    cdef double chance
    cdef bint followed

    cdef vote(self, Votes row)
    cdef compare(self, Votes row, int pivot)


cdef class Site:
    cdef object n
    cdef object size
    cdef bint split
    cdef int branches
    cdef Votes common
    cdef readonly dict rows
    cdef dict own
    cdef Py_ssize_t splits
    cdef readonly dict orders
    cdef dict kids
    cdef list visits
    cdef double[16] swarm
    cdef Py_ssize_t swarmed


cdef class Relations:
    cdef Py_ssize_t count
    cdef long long[3] places
    cdef long long[3] indices

    @cython.locals(
        outside=tuple, frame=KnownState, distance=Py_ssize_t, depth=Py_ssize_t, made=tuple, place=cython.longlong
    )
    cdef find(self, state, number)


cdef class Features:
    cdef readonly Py_ssize_t rows
    cdef dict _grains
    cdef Py_ssize_t _splits

    cdef Site site(self, n)
    cdef split(self, Py_ssize_t number, grain)
    cdef gather(self, Step step, Site site, state)
    @cython.locals(row=Votes, number=Py_ssize_t, place=object, pivot=cython.longlong)
    cdef relate(self, Step step, Site site, Relations relations, low)
    @cython.locals(own=list, row=Votes, last=Py_ssize_t, frame=KnownState)
    cdef _gather_frames(self, Step step, Site site, tuple outside, KnownState inner, Py_ssize_t made)
    @cython.locals(row=Votes)
    cdef Votes _row(self, Site site, feature)
    @cython.locals(found=list, age=int)
    cdef list _of_choices(self, tuple inside)


cdef list _of_key(state)
