"""The khive store against bare calls of the service."""
