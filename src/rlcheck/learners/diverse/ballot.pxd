cimport cython
from libc cimport math

from rlcheck.learners.diverse.votes cimport Site, Step, Votes


cdef double _RANDOM


cdef class Ballot:
    cdef double[16] chances
    cdef double[16] _scores
    cdef double _total
    cdef double _any
    cdef object _random

    @cython.locals(
        chances=cython.p_double, scores=cython.p_double, counts=cython.p_double, weights=cython.p_double,
        row=Votes, branch=int, pivot=int, number=Py_ssize_t, some_dead=bint, chance=double, score=double,
        total=double,
    )
    cdef score(self, Step step, int n, set dead, long sharpness)
    @cython.locals(
        scores=cython.p_double, counts=cython.p_double, of_branch=list, branch=int, weighed=double,
        taken=double, total=double, share=double, visits=double,
    )
    cdef weigh(self, Site site, Step step, weights)
    @cython.locals(scores=cython.p_double, swarm=cython.p_double, branch=int, roll=double, total=double)
    cdef bias(self, Site site, Py_ssize_t episode)
    @cython.locals(last=int, share=double)
    cdef shorten(self, Site site)
    @cython.locals(scores=cython.p_double, roll=double, left=double, branch=int)
    cdef int draw(self, int n) except -2


cpdef double chance_of(double logit) noexcept
cpdef int side_of(int branch, int pivot) noexcept
