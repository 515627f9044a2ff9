# Frames, through the C API: `frame.f_code` and the like without a look-up by name.

cdef extern from *:
    """
    #define rlcheck_code(frame) ((PyObject *)PyFrame_GetCode((PyFrameObject *)(frame)))
    #define rlcheck_lasti(frame) PyFrame_GetLasti((PyFrameObject *)(frame))
    #define rlcheck_current() Py_NewRef((PyObject *)PyEval_GetFrame())
    static inline PyObject *rlcheck_back(PyObject *frame) {
        PyObject *back = (PyObject *)PyFrame_GetBack((PyFrameObject *)frame);
        return back ? back : Py_NewRef(Py_None);
    }
    """
    object rlcheck_code(object frame)
    object rlcheck_back(object frame)
    object rlcheck_current()
    int rlcheck_lasti(object frame)


cdef extern from "Python.h":
    ctypedef class types.FrameType [object PyObject, check_size ignore]:
        @property
        cdef inline object f_code(self):
            return rlcheck_code(self)

        @property
        cdef inline FrameType f_back(self):
            return <FrameType>rlcheck_back(self)

        @property
        cdef inline int f_lasti(self) noexcept:
            return rlcheck_lasti(self)


# A compiled function has no frame of its own, so the caller's is the innermost one.
cdef inline FrameType _getframe(int depth):
    return <FrameType>rlcheck_current()
