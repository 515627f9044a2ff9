cimport cython

from rlcheck.states cimport KnownState, Place


cdef int FAN, _PLACES, _RELATED, _FRAMES
cdef Whole _NOTHING


cdef class Votes:
    cdef readonly double[16] weights


cdef class Whole(Votes):
    cdef double[16] counts


cdef class Around(Votes):
    cdef list orders
    cdef int pivot


cdef class Inside:
    cdef list orders
    cdef int pivot
    cdef list rows
    cdef Py_ssize_t splits
    cdef dict wholes


cdef class Step:
    cdef list votes
    cdef Py_ssize_t voted
    cdef Whole whole
    cdef list orders
    cdef int[3] pivots
    cdef Py_ssize_t compared
    cdef int branch
    cdef double chance

    cdef vote(self, Votes row)
    cdef compare(self, Votes row, int pivot)


cdef class Site:
    cdef object n
    cdef object number
    cdef object low
    cdef object size
    cdef bint split
    cdef int branches
    cdef Votes common
    cdef readonly dict rows
    cdef dict wholes
    cdef readonly list places
    cdef dict inside
    cdef readonly dict around
    cdef readonly dict orders
    cdef dict kids
    cdef list visits
    cdef double[16] swarm
    cdef Py_ssize_t swarmed


cdef class Features:
    cdef readonly Py_ssize_t rows
    cdef dict _grains
    cdef Py_ssize_t _splits

    cdef Site site(self, n, number, low)
    cdef split(self, number, grain)
    @cython.locals(inside=Inside, place=Place)
    cdef gather(self, Step step, Site site, state)
    @cython.locals(row=Votes, around=Around)
    cdef _gather_frames(self, Step step, Site site, tuple outside, Inside inside, Py_ssize_t made)
    @cython.locals(distance=Py_ssize_t, around=Around)
    cdef _relate(self, Step step, tuple outside, Inside inside)
    @cython.locals(row=Votes)
    cdef _compare(self, Step step, list orders, int pivot, Py_ssize_t distance)
    @cython.locals(inside=Inside)
    cdef Inside _inside(self, Site site, KnownState inner)
    @cython.locals(places=list, row=Votes)
    cdef Votes _place(self, Site site, Py_ssize_t made)
    @cython.locals(row=Votes)
    cdef Votes _row(self, Site site, feature)
    @cython.locals(row=Whole)
    cdef Whole _whole(self, dict wholes, state)
    @cython.locals(found=list, age=int)
    cdef list _of_choices(self, tuple inside)


cdef tuple _latest(Site site, KnownState frame)
cdef list _of_key(state)
