cimport cython

cpdef any_option(rng, n)
@cython.locals(few=Py_ssize_t, roll=double)
cpdef below(random, n)
@cython.locals(total=double, left=double, weight=double, index=Py_ssize_t, last=Py_ssize_t)
cpdef weighted_option(rng, weights)
