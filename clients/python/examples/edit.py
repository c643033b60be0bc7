"""Changes an assistant without losing anybody's edit.

    VOICE_ASSISTANTS_URL=… VOICE_ASSISTANTS_KEY=va_… python edit.py ID "Hello, how can I help?"
"""

import os
import sys

from voice_assistants import ApiError, Client

client = Client(os.environ["VOICE_ASSISTANTS_URL"], os.environ["VOICE_ASSISTANTS_KEY"])
assistant_id, first_message = sys.argv[1:]
read = client.assistants.get(assistant_id)
print("It said:", read.body["first_message"])
try:
    client.assistants.update(assistant_id, {"first_message": first_message}, if_match=read.etag)
except ApiError as error:
    sys.exit("Somebody else has just changed it: try again" if error.status == 412 else str(error))
print("It says:", first_message)
