"""`python -m web`: serve the dashboard until told to stop."""

from __future__ import annotations

import logging
import signal
import socket
import sys
from types import FrameType

import click
from waitress import create_server

from config import Config, ConfigError, load_config
from store.database import DatabaseUnavailable, migrate, open_database
from web import create_app

THREADS = 8


class CannotListen(Exception):
    """The address can't be served from. The message is one line that says why and what to do."""


def listen(host: str, port: int) -> socket.socket:
    """A socket bound to the address, 0 for any free port. Raises `CannotListen`."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        bound = socket.socket(family, kind, protocol)
    except OSError as error:
        raise CannotListen(f"can't serve at {host}: {error.strerror or error}") from error
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
        # Listening at once makes a second server fail here, and not after it has opened the database.
        bound.listen(128)
    except OSError as error:
        bound.close()
        raise CannotListen(
            f"can't serve at {host}, port {port}: {error.strerror}. Choose another with --port or web.port."
        ) from error
    return bound


def address_of(bound: socket.socket) -> str:
    """The address as a browser takes it."""
    host, port = bound.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def serve(config: Config, bound: socket.socket) -> None:
    """Open the database, bring it up to date, and answer until a signal comes."""
    with open_database(config.database.url, config.var) as engine:
        migrate(engine)
        app = create_app(config, engine)
        server = create_server(
            app,
            sockets=[bound],
            threads=THREADS,
            ident="",
            # They are only looked at to refuse: a name signs nobody in through a proxy.
            clear_untrusted_proxy_headers=False,
        )
        click.echo(f"Citewell is at {address_of(bound)}")
        sys.stdout.flush()
        try:
            server.run()
        finally:
            server.close()


def stop(_signal: int, _frame: FrameType | None) -> None:
    """End the serving loop; what is being answered is finished first."""
    raise SystemExit(0)


@click.command()
@click.option("--host", help="Address to serve at; web.host of the configuration by default.")
@click.option("--port", type=click.IntRange(0, 65535), help="Port; web.port by default, 0 for any free one.")
def main(host: str | None, port: int | None) -> None:
    """Serve the dashboard until SIGTERM or Ctrl-C."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    # It warns whenever a request waits for a thread, which a browser's handful at once makes it do.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    try:
        config = load_config()
        chosen = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
        config = config.model_copy(update={"web": config.web.model_copy(update=chosen)})
        with listen(config.web.host, config.web.port) as bound:
            serve(config, bound)
    except (ConfigError, CannotListen, DatabaseUnavailable) as error:
        click.echo(f"citewell: {error}", err=True)
        raise SystemExit(1) from None


if __name__ == "__main__":
    main()
