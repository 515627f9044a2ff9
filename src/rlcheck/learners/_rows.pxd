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

    @cython.locals(count=Py_ssize_t, old=double, value=double)
    cpdef learn(self, index, double reward, double step_size)
    @cython.locals(ties=list, index=Py_ssize_t, value=double, highest=double, second=double)
    cpdef find(self, rng)


cdef class _Cell:
    cdef double value
    cdef Py_ssize_t count


cdef class LongRow(Row):
    cdef readonly dict _cells
    cdef dict _groups
    cdef list _heap
    cdef readonly Py_ssize_t _entries

    @cython.locals(cell=_Cell, old=double, value=double)
    cpdef learn(self, index, double reward, double step_size)
    @cython.locals(cells=dict, ties=list, group=list, value=double, now=double, place=Py_ssize_t, cell=_Cell)
    cpdef find(self, rng)
    @cython.locals(cell=_Cell)
    cdef double _value(self, index) except? -1.0
    @cython.locals(group=list)
    cdef _add(self, index, double value)
    cdef _promote(self, index)
    cdef _demote(self)
    cdef _drop_highest_group(self)
    @cython.locals(cell=_Cell)
    cdef _regroup(self)
