"""Stop a server when nobody uses it any more. Run as a program by `store.embedded`; standard library only.

Arguments: the number of the inherited file descriptor whose lock says that there is a guard, the file on which every
user holds a shared lock, the system user to run as ("" for our own), and the command that stops the server.
"""

import fcntl
import os
import subprocess
import sys


def main() -> None:
    """In the background: wait until the last user has gone, stop the server, and let new users in again."""
    guarding, users_file, system_user, *stop = sys.argv[1:]
    if os.fork():
        os._exit(0)
    users = os.open(users_file, os.O_RDWR)
    fcntl.flock(users, fcntl.LOCK_EX)
    subprocess.run(  # noqa: S603 - the command that our own program gave
        stop,
        check=False,
        user=system_user or None,
        group=system_user or None,
        extra_groups=[] if system_user else None,
    )
    # In this order: whoever gets the lock on `users` next must not take us for a guard that still waits.
    os.close(int(guarding))
    os.close(users)


if __name__ == "__main__":
    main()
