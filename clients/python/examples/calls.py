"""Prints your calls as CSV, newest first.

    VOICE_ASSISTANTS_URL=… VOICE_ASSISTANTS_KEY=va_… python calls.py > calls.csv
"""

import csv
import os
import sys

from voice_assistants import Client

client = Client(os.environ["VOICE_ASSISTANTS_URL"], os.environ["VOICE_ASSISTANTS_KEY"])
rows = csv.writer(sys.stdout)
rows.writerow(["started_at", "assistant", "seconds", "preview"])
for call in client.logs.iterate_sessions(limit=100):
    rows.writerow([call["started_at"], call["assistant_name"], call["session_duration"], call["preview"]])
