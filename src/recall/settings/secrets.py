"""What must not be printed."""

from __future__ import annotations


def hide_password(url: str) -> str:
    """*url* with the password between `:` and the last `@` of its authority as `***`.

    Works on text alone, so that a URL which no library would read is still safe to print.
    """
    scheme, separator, rest = url.partition("://")
    if not separator:
        # No URL, but perhaps one whose beginning was forgotten.
        scheme, rest = "", url
    # A password may hold "/" or "@" unescaped: everything up to the last "@" can be part of it.
    credentials, at, place = rest.rpartition("@")
    if at:
        user, colon, _ = credentials.partition(":")
        rest = f"{user}{':***' if colon else ''}@{place}"
    before, question, query = rest.partition("?")
    if question:
        rest = f"{before}?{'&'.join(_hide_in_query(part) for part in query.split('&'))}"
    return f"{scheme}{separator}{rest}"


def _hide_in_query(part: str) -> str:
    name, equals, _ = part.partition("=")
    return f"{name}=***" if equals and "pass" in name.lower() else part
