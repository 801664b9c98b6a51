"""Faults planted into the backends of other conformance kits, and what their own tests find."""
