"""What the words after an option may be; argparse tells the user what is wrong."""

import argparse


def names(text: str) -> list[str]:
    """Separated by commas."""
    return text.split(",")


def seed(text: str) -> int:
    try:
        value = int(text, 16 if text.lower().startswith("0x") else 10)
    except ValueError:
        value = -1
    if not 0 <= value < 1 << 64:
        raise argparse.ArgumentTypeError(f"{text} is no whole number from 0 to 2^64 - 1, decimal or after 0x")
    return value
