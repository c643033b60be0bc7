"""Asks an assistant a question, and prints the answer as it comes.

    VOICE_ASSISTANTS_URL=… VOICE_ASSISTANTS_KEY=va_… python chat.py ID "When do you open?"
"""

import os
import sys

from voice_assistants import Client

client = Client(os.environ["VOICE_ASSISTANTS_URL"], os.environ["VOICE_ASSISTANTS_KEY"])
assistant_id, question = sys.argv[1:]
for piece in client.completions.stream({"model": assistant_id, "messages": [{"role": "user", "content": question}]}):
    for choice in piece["choices"]:
        print(choice["delta"].get("content") or "", end="", flush=True)
print()
