cimport cython


@cython.locals(parts=list, seen=dict, stack=list, entry=tuple, kind=int)
cdef list _walk(thing, list values, bint in_place)
@cython.locals(before=Py_ssize_t)
cdef str _enter(thing, int kind, str name, tuple slots, list stack)
