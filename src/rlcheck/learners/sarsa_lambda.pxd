cimport cython

from rlcheck.choice cimport ChoicePoint
from rlcheck.episode cimport Episode
from rlcheck.learners._rows cimport Row
from rlcheck.learners.monte_carlo cimport MonteCarlo


cdef double _CUT_OFF


cdef class SarsaLambda(MonteCarlo):
    cdef readonly double discount
    cdef readonly double trace_decay
    cdef readonly list _traces

    cpdef select(self, ChoicePoint point, state, n)
    cpdef observe(self, ChoicePoint point, state, n, index)
    cpdef update(self, Episode episode)
    cpdef drop(self)
    cdef _follow(self, Row row, index)
    @cython.locals(
        rows=list, taken=list, traces=list, row=Row, change=double, fade=double, trace=double,
        place=Py_ssize_t, dead=Py_ssize_t,
    )
    cdef _step(self, double expected)
    @cython.locals(rows=list, taken=list, traces=list, place=Py_ssize_t)
    cdef _remember(self, Row row, index)


cdef class RecentSarsa(SarsaLambda):
    cdef readonly Py_ssize_t recent
    cdef tuple _last

    cpdef select(self, ChoicePoint point, state, n)
    cpdef observe(self, ChoicePoint point, state, n, index)
    cpdef drop(self)
