"""Client for the interface of a Docent server. Needs the standard library alone, Python 3.9 or newer."""

from . import types
from .client import Docent
from .errors import DocentError
from .transport import Answer
from .webhooks import WebhookEvent, read_webhook

__all__ = ["Answer", "Docent", "DocentError", "WebhookEvent", "read_webhook", "types"]
