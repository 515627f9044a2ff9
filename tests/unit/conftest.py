"""Properties of our own parts pass on a busy machine too: nothing in them depends on the clock."""

from hypothesis import HealthCheck, settings

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")
