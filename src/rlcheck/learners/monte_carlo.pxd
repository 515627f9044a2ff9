cimport cython

from rlcheck.abilities cimport LearnerBase
from rlcheck.choice cimport ChoicePoint
from rlcheck.episode cimport Episode
from rlcheck.learners cimport _exploration
from rlcheck.learners._rows cimport Row


cdef class MonteCarlo(LearnerBase):
    cdef readonly double epsilon
    cdef readonly object step_size
    cdef readonly Py_ssize_t max_states
    cdef readonly Py_ssize_t states
    cdef readonly object rng
    cdef object _random
    cdef readonly dict _tables
    cdef dict _resized
    cdef list _rows
    cdef list _taken
    cdef double _reward

    @cython.locals(table=dict, row=Row, roll=double)
    cpdef select(self, ChoicePoint point, state, n)
    cpdef observe(self, ChoicePoint point, state, n, index)
    cpdef reward(self, double value)
    @cython.locals(step=Py_ssize_t, row=Row, reward=double, rows=list, taken=list)
    cpdef update(self, Episode episode)
    cpdef drop(self)
    @cython.locals(row=Row)
    cdef Row _met(self, ChoicePoint point, state, n)
    @cython.locals(row=Row)
    cdef Row _row(self, ChoicePoint point, state, n)
