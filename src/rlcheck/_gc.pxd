cdef extern from "Python.h":
    void PyObject_GC_UnTrack(void *)


cdef inline void untrack(object thing) noexcept:
    PyObject_GC_UnTrack(<void *>thing)
