cimport cython

cdef int _NONE, _VALUE, _SLOTS, _SEQUENCE, _MAPPING, _SET, _OBJECT, _OPAQUE
cdef dict _kinds

@cython.locals(parts=list, seen=dict, stack=list, kind=int, slots=tuple, limit=Py_ssize_t)
cdef list _walk(thing, list values, bint in_place)
@cython.locals(before=Py_ssize_t)
cdef str _enter(thing, int kind, str name, tuple slots, list stack)
