"""Numbers of things in English."""


def plural(number: int, what: str) -> str:
    """E.g. 1 case, 2 cases."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
