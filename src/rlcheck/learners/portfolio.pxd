from rlcheck.episode cimport Episode


cdef class Portfolio:
    cdef readonly double discount
    cdef readonly Py_ssize_t turn
    cdef readonly double explore
    cdef readonly object rng
    cdef readonly list members
    cdef readonly object abstraction
    cdef readonly object coverage
    cdef readonly list episodes
    cdef readonly bint exhausted
    cdef readonly bint blind
    cdef readonly bint looking
    cdef readonly double price
    cdef readonly object select
    cdef object _bandit
    cdef object _gains
    cdef object _clock
    cdef object _started
    cdef readonly list _observing
    cdef list _watching
    cdef Py_ssize_t _lessons
    cdef object _lesson
    cdef Py_ssize_t _teacher
    cdef bint _shown
    cdef double _worth
    cdef bint _imitating
    cdef bint _new
    cdef bint _repeated
    cdef set _covered
    cdef set _traces
    cdef object _trace
    cdef readonly Py_ssize_t _turn
    cdef object _member
    cdef object _weighted
    cdef bint _fickle
    cdef Py_ssize_t _left
    cdef list _beside
    cdef list _found
    cdef double _uniques
    cdef double _covering
    cdef double _tracing
    cdef bint _noted

    cpdef reward(self, double value)
    cpdef see(self, Episode episode)
    cpdef update(self, outcome)
    cdef _add(self, gains)
    cdef _cover(self, Episode episode)
    cdef _begin(self, Py_ssize_t place)
    cdef _teach(self)
    cdef _follow(self)
    cdef _settle(self)
