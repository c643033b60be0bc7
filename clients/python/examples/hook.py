"""Receives webhooks on port 4001.

    WEBHOOK_SECRET=whsec_… python hook.py
"""

import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from voice_assistants import InvalidWebhook, verify_webhook

secret = os.environ["WEBHOOK_SECRET"]


class Hook(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            event = verify_webhook(body, dict(self.headers), secret)
        except InvalidWebhook as error:
            return self.send_error(401, str(error))
        print(event["type"], event["data"], flush=True)
        self.send_response(204)
        self.end_headers()


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "4001"))), Hook).serve_forever()
