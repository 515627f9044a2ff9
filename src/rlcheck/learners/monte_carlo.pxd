cimport cython

from rlcheck.choice cimport ChoicePoint
from rlcheck.learners cimport _exploration
from rlcheck.learners._rows cimport Row


cdef class MonteCarlo:
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
    cdef object _lead

    @cython.locals(table=dict, row=Row, roll=double)
    cpdef select(self, ChoicePoint point, state, n)
    cpdef reward(self, double value)
    @cython.locals(step=Py_ssize_t, row=Row, reward=double, rows=list, taken=list)
    cpdef update(self, outcome)
    cpdef imitate(self, choices)
    cpdef drop(self)
    cdef _imitated(self, lead, n)
    @cython.locals(row=Row)
    cdef Row _row(self, ChoicePoint point, state, n)
