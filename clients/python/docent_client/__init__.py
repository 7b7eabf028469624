"""Client for the interface of a Docent server. Needs the standard library alone, Python 3.9 or newer."""

from .client import Docent
from .errors import DocentError
from .webhooks import read_webhook

__all__ = ["Docent", "DocentError", "read_webhook"]
