"""Whether the worker makes progress, by its health file. `python -m bot.healthy` loads no more than this takes.

Whoever supervises a worker asks every few seconds, so that it must be cheap: `python -m bot healthy` says the same.
Exit code 0, or 1 and a line on stderr that says why not, or 2 where the configuration can't be used.
"""

from __future__ import annotations

import sys

from bot.pulse import unwell
from config import Config, ConfigError, load_config


def unhealthy(config: Config) -> str | None:
    """Why the worker that touches the configured file is taken for dead or stuck; None where it is well."""
    return unwell(config.health_file, config.run.health_s)


def main() -> int:
    """Say so; the exit code."""
    try:
        reason = unhealthy(load_config())
    except ConfigError as error:
        sys.stderr.write(f"citewell: {error}\n")
        return 2
    if reason:
        sys.stderr.write(f"citewell: {reason}\n")
        return 1
    sys.stdout.write("Healthy.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
