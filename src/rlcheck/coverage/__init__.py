"""Coverage of Python subjects: which branches each input takes."""

from rlcheck.coverage.branches import Coverage
from rlcheck.coverage.modules import Modules, modules_of

__all__ = ["Coverage", "Modules", "modules_of"]
