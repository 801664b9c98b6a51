"""Fail unless lines and branches are each covered as far as the project promises.

coverage's own limit is about both taken together, where many lines hide few branches.
"""

from __future__ import annotations

import json
import sys
from typing import Final

FLOOR: Final = 95.0

totals = json.load(sys.stdin)["totals"]
shares = {kind: totals[f"percent_{kind}_covered"] for kind in ("statements", "branches")}
sys.stdout.write(", ".join(f"{kind}: {share:.1f} %" for kind, share in shares.items()) + "\n")
if min(shares.values()) < FLOOR:
    sys.exit(f"expected at least {FLOOR:.0f} % of each")
