cimport cython

from rlcheck.learners cimport _exploration


cpdef Row make_row(n)


cdef class Row:
    cdef readonly object n
    cdef readonly Py_ssize_t total
    cdef readonly object best
    cdef readonly double bound
    cdef double _highest
    cdef list _ties
    cdef readonly list _values
    cdef list _counts

    @cython.locals(count=Py_ssize_t, old=double)
    cpdef learn(self, index, double reward, double step_size)
    cpdef double value(self, index)
    cpdef count(self, index)
    cpdef add(self, index, double change)
    @cython.locals(known=Py_ssize_t)
    cpdef merge(self, index, count, double total)
    @cython.locals(old=double)
    cdef _put(self, index, double value)
    @cython.locals(ties=list, index=Py_ssize_t, value=double, highest=double, second=double)
    cpdef find(self, random)


cdef class LongRow(Row):
    cdef readonly dict _leaves
    cdef list _options
    cdef Py_ssize_t _width
    cdef double[::1] _highs
    cdef long long[::1] _tied

    @cython.locals(leaf=Py_ssize_t, node=Py_ssize_t, count=Py_ssize_t, old=double, value=double)
    cpdef learn(self, index, double reward, double step_size)
    @cython.locals(leaf=Py_ssize_t)
    cpdef double value(self, index)
    @cython.locals(leaf=Py_ssize_t)
    cpdef count(self, index)
    @cython.locals(leaf=Py_ssize_t)
    cpdef add(self, index, double change)
    @cython.locals(leaf=Py_ssize_t, known=Py_ssize_t, node=Py_ssize_t)
    cpdef merge(self, index, count, double total)
    @cython.locals(leaf=Py_ssize_t)
    cpdef find(self, random)
    @cython.locals(leaf=Py_ssize_t)
    cdef Py_ssize_t _enter(self, index) except -1
    @cython.locals(high=double, other=double, tied=cython.longlong)
    cdef _play(self, Py_ssize_t node)
    @cython.locals(high=double, tied=cython.longlong, place=cython.longlong, left=cython.longlong, node=Py_ssize_t)
    cdef _winner(self, random)
    @cython.locals(width=Py_ssize_t, leaf=Py_ssize_t, highs="double[::1]", tied="long long[::1]")
    cdef _widen(self)
