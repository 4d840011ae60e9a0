"""Logs: one line an event, on stderr, each with the id of its run."""

from __future__ import annotations

import logging
import sys

import structlog


def configure(run_id: int | None, quiet: bool) -> None:
    """Log from here on, for a run where there is one. `quiet` leaves out what a progress bar shows anyway."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.LogfmtRenderer(key_order=["timestamp", "level", "run_id", "event"]),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING if quiet else logging.INFO),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
    structlog.contextvars.clear_contextvars()
    if run_id is not None:
        structlog.contextvars.bind_contextvars(run_id=run_id)
