cimport cython

from rlcheck.abilities cimport LearnerBase
from rlcheck.choice cimport ChoicePoint
from rlcheck.episode cimport Episode
from rlcheck.learners.diverse.archive cimport Archive
from rlcheck.learners.diverse.edits cimport Editor
from rlcheck.learners.diverse.model cimport Model
from rlcheck.learners.diverse.script cimport Script
from rlcheck.learners.diverse.recorder cimport Recorder
from rlcheck.learners.diverse.relations cimport Relations
from rlcheck.learners.diverse.tree cimport Span
from rlcheck.learners.diverse.trie cimport Trie
from rlcheck.learners.diverse.values cimport Values
from rlcheck.learners.diverse.variants cimport Variants
from rlcheck.learners.diverse.ways cimport Ways
from rlcheck.learners.diverse.worth cimport Aside, Worth
from rlcheck.states cimport Place

cdef object _INVALID
cdef Py_ssize_t WAYS, AGAIN, ANY, MISS, MODEL, OTHERS, SWARM, _KINDS, _FAR
cdef double _STEP, _BOOST, _COMMON, _PLAIN, _WORSE, _RARE, _NOTED, _TAUGHT


cdef class Diverse(LearnerBase):
    cdef readonly Py_ssize_t max_states
    cdef readonly bint exhausted
    cdef readonly bint blind
    cdef readonly bint looking
    cdef readonly object rng
    cdef readonly Model _model
    cdef readonly Trie _trie
    cdef readonly Archive _archive
    cdef readonly Editor _editor
    cdef readonly Values _values
    cdef Variants _variants
    cdef Recorder _recorder
    cdef Worth _worth
    cdef Aside _aside
    cdef readonly Ways _ways
    cdef double _valid_rate
    cdef bint _fresh
    cdef bint _noting

    @cython.locals(dead=set, place=Place)
    cpdef select(self, ChoicePoint point, state, n)
    cpdef select_weighted(self, ChoicePoint point, state, n, weights)
    @cython.locals(place=Place)
    cpdef observe(self, ChoicePoint point, state, n, index)
    @cython.locals(valid=bint, near=double, standing=double, new=bint)
    cpdef update(self, Episode episode)
    cpdef drop(self)
    @cython.locals(
        root=Span, recorder=Recorder, warm=bint, followed=bint, rare=double, missed=double, same=bint, worth=double, mean=double,
        pull=double,
    )
    cdef _learn(self, double near, double standing, bint new, Episode episode)
    @cython.locals(recorder=Recorder)
    cdef _learn_edit(self, bint valid, bint same)
    cdef _refile(self)
    cdef _end(self)
    @cython.locals(script=Script)
    cdef _begin(self)
    cdef _vary(self, n, set dead)
    @cython.locals(relations=Relations, held=bint, chance=bint, others=set)
    cdef _choose(self, ChoicePoint point, state, n, set dead)
