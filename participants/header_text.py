"""What may stand in an HTTP header. Pure: a bot's secret is sent in one."""


def is_header_text(text: str) -> bool:
    """Visible ASCII on one line; spaces inside are allowed, at the ends a server would drop them."""
    return text == text.strip() and all(" " <= character <= "~" for character in text)
