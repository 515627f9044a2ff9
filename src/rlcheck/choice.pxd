from rlcheck._sys cimport FrameType


cdef class ChoicePoint:
    cdef readonly object name
    cdef readonly Py_ssize_t number


cdef class ChoicePoints:
    cdef dict _by_code
    cdef dict _by_name
    cdef object _code
    cdef dict _sites

    cpdef ChoicePoint named(self, name)
    cpdef ChoicePoint at(self, FrameType frame)
