"""The addresses that we know of: which of them are a page's, or lead to it."""

from __future__ import annotations

import re
from collections.abc import Collection

from sqlalchemy import text
from sqlalchemy.orm import Session

from store.address_key import address_keys, hosts_of_keys


def leading_to(session: Session, keys: frozenset[str]) -> set[str]:
    """The known addresses that are the page's, or that lead to it: its spellings and copies, and redirects to it."""
    found = {url for url in known_addresses(session, keys) if address_keys(url) & keys}
    for chain in session.scalars(text(_CHAINS), {"patterns": naming(keys)}):
        places = [place for place, url in enumerate(chain) if address_keys(url) & keys]
        found.update(chain[: places[-1] + 1] if places else ())
    for urls in session.scalars(text(_CITED_TOGETHER), {"patterns": naming(keys)}):
        if any(address_keys(source["url"]) & keys for source in urls):
            copies = (source["url"] for source in urls if source["via"] == "archive")
            # One that names the page that it is a copy of is found by that.
            found.update(url for url in copies if len(address_keys(url)) == 1)
    return found


def known_addresses(session: Session, keys: frozenset[str]) -> set[str]:
    """All known addresses that name one of the hosts of `keys`."""
    return set(session.scalars(text(_KNOWN), {"patterns": naming(keys)})) if keys else set()


def naming(keys: Collection[str]) -> list[str]:
    """Patterns (of LIKE) of all addresses that may have one of these keys: they name its host."""
    escaped = (re.sub(r"([\\%_])", r"\\\1", host) for host in hosts_of_keys(frozenset(keys)))
    return [f"%{host}%" for host in escaped]


_KNOWN = """
SELECT url FROM (
  SELECT url FROM document UNION SELECT final_url FROM document
  UNION SELECT url FROM try UNION SELECT final_url FROM try UNION SELECT unnest(chain) FROM try
  UNION SELECT address.value ->> 'url' FROM pair, jsonb_array_elements(pair.urls) AS address
) AS known(url)
WHERE url ILIKE ANY (:patterns)
"""

_CHAINS = """
SELECT DISTINCT chain FROM (
  SELECT chain FROM try WHERE cardinality(chain) > 0
  UNION ALL SELECT ARRAY[url, final_url] FROM try WHERE url <> final_url
  UNION ALL SELECT ARRAY[url, final_url] FROM document WHERE url <> final_url
) AS known(chain)
WHERE array_to_string(chain, ' ') ILIKE ANY (:patterns)
"""

_CITED_TOGETHER = """
SELECT DISTINCT urls FROM pair WHERE urls @> '[{"via": "archive"}]' AND CAST(urls AS text) ILIKE ANY (:patterns)
"""
