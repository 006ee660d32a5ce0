"""The query language; it stands in `recall.model.query`."""

from recall.model.query import *  # noqa: F403
