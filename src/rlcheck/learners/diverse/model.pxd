cimport cython
from libc cimport math

from rlcheck.choice cimport ChoicePoint
from rlcheck.learners cimport _exploration
from rlcheck.learners.diverse.ballot cimport Ballot, chance_of, side_of
from rlcheck.learners.diverse.votes cimport Features, Site, Step, Votes

cdef int _SPLIT_AFTER, _SHARPNESS
cdef set _NONE


cdef class Model:
    cdef public object weights
    cdef object _rng
    cdef object _random
    cdef Features _features
    cdef readonly dict _sites
    cdef dict _resized
    cdef Ballot _ballot
    cdef list _steps
    cdef Py_ssize_t _made
    cdef list _marks
    cdef list _followed
    cdef bint _swarm
    cdef long _sharpness
    cdef Py_ssize_t _episode

    cpdef begin(self, bint swarm)
    cpdef end(self, Py_ssize_t most)
    cpdef mark(self)
    @cython.locals(first=Py_ssize_t)
    cpdef discard(self, Py_ssize_t since, double pull)
    @cython.locals(site=Site)
    cpdef choose(self, ChoicePoint point, state, n, set dead)
    @cython.locals(site=Site, branch=int, step=Step, row=Votes, number=Py_ssize_t, logit=double)
    cpdef note(self, ChoicePoint point, state, n, index)
    cpdef follow(self, ChoicePoint point, state, n, index)
    @cython.locals(point=ChoicePoint)
    cpdef learn(self, double valid, double pull, double bar)
    @cython.locals(change=double, place=Py_ssize_t, number=Py_ssize_t, branch=int, step=Step, row=Votes)
    cdef _move(self, Py_ssize_t first, double valid, double pull)
    @cython.locals(step=Step)
    cdef Step _step(self, Site site, state)
    cdef _record(self, Step step, int branch, double chance)
    @cython.locals(site=Site)
    cdef Site _site(self, ChoicePoint point, n)
    @cython.locals(step=Step, ballot=Ballot, branch=int)
    cdef int _pick(self, Site site, state, set dead) except -1
    @cython.locals(before=Py_ssize_t)
    cdef _descend(self, Site site, state, set dead)
    @cython.locals(branch=int, kid=Site)
    cdef _fall(self, Site site, state)
    cpdef bint may_take(self, index) except -1
    cpdef any(self, n)
    cpdef any_alive(self, n, set dead)
