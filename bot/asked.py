"""What people ask to have checked: the items are walked anew, where that can be, and their pairs wait before others."""

from __future__ import annotations

from collections.abc import Sequence

import structlog
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from bot.agent import user_agent
from bot.patience import Patience
from bot.problem import InputProblem, RunFailed
from bot.walk import Walk
from config import Config
from store.requests import Wish, answer, queue_items, take

AT_ONCE = 20


def take_requests(config: Config, engine: Engine, run_id: int, model_version: str, patience: Patience) -> int:
    """Take up to `AT_ONCE` wishes; how many they were. A worker that dies over them leaves them waiting."""

    def once() -> int:
        with Session(engine) as session, session.begin():
            wishes = take(session, AT_ONCE)
            if wishes:
                said = _walk(config, engine, run_id, model_version, wishes)
                for wish in wishes:
                    queued = queue_items(session, [wish.item_id])
                    answer(session, wish, said or ("" if queued else "it has no reference that can be judged"))
            return len(wishes)

    return patience.keep(once)


def _walk(config: Config, engine: Engine, run_id: int, model_version: str, wishes: Sequence[Wish]) -> str:
    """Walk the items, as they are on the wiki now; what hinders that, in words, or ""."""
    if not config.contact.strip():
        return "only what is known of it: without a contact in config.yaml nothing is fetched"
    from bot.sources.api import ApiSource, WikibaseApi  # noqa: PLC0415 - pywikibot is imported only where it is used

    def told(line: str) -> None:
        structlog.get_logger().info("asked for", said=line)

    ids = [wish.item_id for wish in wishes]
    try:
        api = WikibaseApi(config.source.api, user_agent(config.contact), config.var / "pywikibot", told)
        source = ApiSource(api, "what was asked for", ids, config.source.languages, told)
        Walk(config.select.skip_properties).over(source, engine, run_id, model_version)
    except (InputProblem, RunFailed) as error:
        structlog.get_logger().warning("asked for, and not walked", reason=str(error))
        return f"only what is known of it: {error}"
    return ""
