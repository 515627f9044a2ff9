cimport cython

cpdef any_option(rng, n)
@cython.locals(few=Py_ssize_t, roll=double)
cpdef below(random, n)
