"""Client of the voice assistants API. Needs Python 3.10 and no packages."""

from ._http import Answer, ApiError
from .client import Client
from .webhooks import InvalidWebhook, verify_webhook
from .worker import (
    Api,
    Vendor,
    call_log,
    call_tool,
    choose_assistant,
    choose_variables,
    choose_vendor,
    choose_version,
    drop,
    fit_settings,
    from_environment,
    get_credential,
    get_texts,
    list_tools,
    load,
    save_call,
    send_waiting,
    start_call,
)

__all__ = [
    "Answer",
    "Api",
    "ApiError",
    "Client",
    "InvalidWebhook",
    "Vendor",
    "call_log",
    "call_tool",
    "choose_assistant",
    "choose_variables",
    "choose_vendor",
    "choose_version",
    "drop",
    "fit_settings",
    "from_environment",
    "get_credential",
    "get_texts",
    "list_tools",
    "load",
    "save_call",
    "send_waiting",
    "start_call",
    "verify_webhook",
]
