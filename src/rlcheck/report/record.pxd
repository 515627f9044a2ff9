from rlcheck.episode cimport Episode


cdef object _INVALID


cdef class Recorder:
    cdef readonly Py_ssize_t episodes
    cdef readonly Py_ssize_t valid
    cdef readonly Py_ssize_t unique_valid
    cdef readonly Py_ssize_t overruns
    cdef readonly dict sizes
    cdef readonly object fresh
    cdef readonly list sample
    cdef dict _shapes
    cdef Py_ssize_t _room
    cdef Py_ssize_t _quota
    cdef object _random
    cdef Py_ssize_t _next
    cdef double _threshold

    cdef _count(self, Episode episode)
    cdef _keep(self, Episode episode)
    cdef _sample(self, Episode episode)
