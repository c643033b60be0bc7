import type { Step } from './progress.ts';

/** What is filled into a snippet. */
export interface Filling {
  /** The API's URL, without a slash at its end. */
  url: string;
  /** The assistant's id, where there is one. */
  assistantId: string | undefined;
  /** A service whose key is needed. */
  service: string;
}

const json = '-H "Content-Type: application/json"';
const token = '-H "Authorization: Bearer $TOKEN"';

/** The commands by which each step is done without the console. `TOKEN` and `KEY` stay variables: they are secrets. */
export function curlOf(step: Step, { url, assistantId = 'ASSISTANT_ID', service }: Filling): string {
  switch (step) {
    case 'assistant':
      return `curl -s ${url}/assistants ${token} ${json} \\
  -d '{"name": "Receptionist", "system_instruction": "You answer the phone of a dental clinic."}'`;
    case 'credentials':
      return `curl -s ${url}/user-credentials ${token} ${json} \\
  -d '{"service_type": "${service}", "api_key": "the key that the vendor gave you"}'`;
    case 'document':
      return `curl -s ${url}/assistants/${assistantId}/knowledge-base ${token} \\
  -F file=@handbook.pdf`;
    case 'key':
      return `curl -s ${url}/api-keys ${token} ${json} \\
  -d '{"name": "Worker", "scopes": ["runtime", "logs"]}'`;
    case 'call':
      return `# What a worker does before a call
curl -s ${url}/assistants/${assistantId}/runtime-config -H "Authorization: Bearer $KEY"

# and after it
curl -s ${url}/logs/call-logs -H "Authorization: Bearer $KEY" ${json} \\
  -d '{"assistant_id": "${assistantId}", "room_name": "first-call", "session_duration": 12.5,
       "transcript": [{"role": "assistant", "content": "Hello!"}, {"role": "user", "content": "Hello, who is it?"}]}'`;
  }
}

/** The variables that the workers read. */
export const environmentOf = ({ url, assistantId = '' }: Filling): string =>
  `export VOICE_ASSISTANTS_URL=${url}
export VOICE_ASSISTANTS_KEY=va_…   # your API key
export ASSISTANT_ID=${assistantId}`;

/** The commands that a worker's opening comment tells, which install and start it: its first lines that stand further in. */
export function commandsIn(source: string): string {
  const lines = source.split('\n').map((line) => line.replace(/^ \* ?/, ''));
  const first = lines.findIndex((line) => line.startsWith('    '));
  if (first < 0) return '';
  const rest = lines.slice(first);
  const end = rest.findIndex((line) => !line.startsWith('    '));
  return rest
    .slice(0, end < 0 ? rest.length : end)
    .map((line) => line.slice(4))
    .join('\n');
}
