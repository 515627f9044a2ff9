cimport cython
from libc cimport math

from rlcheck.abilities cimport LearnerBase
from rlcheck.choice cimport ChoicePoint
from rlcheck.episode cimport Episode
from rlcheck.learners cimport _exploration
from rlcheck.learners._archive cimport Archive
from rlcheck.learners._ballot cimport Ballot, chance_of, side_of
from rlcheck.learners._trie cimport Trie
from rlcheck.learners._votes cimport Features, Site, Step, Votes


cdef object _INVALID
cdef int _SPLIT_AFTER, _LOOK, _MODEL, _SWARM, _MUTATE, _IMITATE
cdef double _BOOST, _LEAST
cdef set _NONE


cdef class Diverse(LearnerBase):
    cdef readonly long sharpness
    cdef readonly double step_size
    cdef readonly double explore
    cdef readonly double spread
    cdef readonly double brevity
    cdef readonly Py_ssize_t max_states
    cdef readonly bint exhausted
    cdef readonly bint blind
    cdef readonly object rng
    cdef object _random
    cdef readonly dict _sites
    cdef dict _resized
    cdef Features _features
    cdef readonly Trie _trie
    cdef Py_ssize_t _episodes
    cdef Py_ssize_t _looked
    cdef Py_ssize_t _valid
    cdef double _valid_rate
    cdef double _mean_length
    cdef bint _aside
    cdef list _points
    cdef list _script
    cdef list _places
    cdef list _steps
    cdef Py_ssize_t _made
    cdef list _marks
    cdef object _weights
    cdef Ballot _ballot
    cdef bint _fresh
    cdef int _mode
    cdef double[4] _rates
    cdef list _worth_range
    cdef readonly Archive _archive

    @cython.locals(dead=set)
    cpdef select(self, ChoicePoint point, state, n)
    cpdef select_weighted(self, ChoicePoint point, state, n, weights)
    cpdef discard(self, Py_ssize_t since)
    cpdef observe(self, ChoicePoint point, state, n, index)
    @cython.locals(valid=double, worth=double)
    cpdef update(self, Episode episode)
    cpdef drop(self)
    @cython.locals(pull=double, mean=double, success=double)
    cdef _learn(self, double valid, bint new)
    @cython.locals(length=double, shorter=double)
    cdef double _worth(self, Py_ssize_t many)
    @cython.locals(change=double, place=Py_ssize_t, number=Py_ssize_t, branch=int, step=Step, row=Votes)
    cdef _move(self, Py_ssize_t first, double valid, double pull, double bar)
    cdef _end(self)
    @cython.locals(
        model=double, swarm=double, mutate=double, least=double, roll=double, left=double
    )
    cdef _begin(self)
    @cython.locals(site=Site)
    cdef _choose(self, ChoicePoint point, state, n, set dead)
    @cython.locals(branch=int, step=Step, row=Votes, number=Py_ssize_t, logit=double)
    cdef _note(self, Site site, state, index)
    @cython.locals(step=Step)
    cdef Step _step(self, Site site, state)
    cdef _record(self, Step step, int branch, double chance)
    @cython.locals(site=Site)
    cdef Site _site(self, ChoicePoint point, n)
    @cython.locals(step=Step, ballot=Ballot, sharpen=bint, branch=int)
    cdef int _pick(self, Site site, state, set dead) except -1
    @cython.locals(before=Py_ssize_t)
    cdef _descend(self, Site site, state, set dead)
    @cython.locals(branch=int, kid=Site)
    cdef _fall(self, Site site, state)
    cdef _any(self, n)
    cdef _any_alive(self, n, set dead)


cdef double _cube(double x) noexcept
