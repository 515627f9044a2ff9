cimport cython

from rlcheck._sys cimport FrameType


cdef class ChoicePoint:
    cdef readonly object name
    cdef readonly Py_ssize_t number
    cdef readonly bint ordered
    cdef readonly bint met

    cpdef meet(self, options)


cdef class ChoicePoints:
    cdef dict _by_code
    cdef dict _by_name
    cdef set _numbers
    cdef object _code
    cdef dict _sites
    cdef int _instruction
    cdef ChoicePoint _point

    @cython.locals(point=ChoicePoint)
    cpdef ChoicePoint named(self, name)
    cdef Py_ssize_t _number(self, name) except -1
    @cython.locals(instruction=int, point=ChoicePoint)
    cpdef ChoicePoint at(self, FrameType frame)
