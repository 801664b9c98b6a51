"""`python -m memory_fidelity` is the command `memory-fidelity`."""

from __future__ import annotations

import sys

from memory_fidelity.cli import main

sys.exit(main())
