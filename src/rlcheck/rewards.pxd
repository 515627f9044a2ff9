from rlcheck.abilities cimport RewardBase


cdef object _INVALID


cdef class Novelty(RewardBase):
    cdef readonly object unique
    cdef readonly object valid
    cdef readonly object invalid
