import type { Step } from './progress.ts';

/** Values to fill into a snippet. */
export interface SnippetValues {
  /** URL of the API, without a trailing slash. */
  url: string;
  assistantId: string | undefined;
  /** A service that needs a key. */
  service: string;
}

const json = '-H "Content-Type: application/json"';
const token = '-H "Authorization: Bearer $TOKEN"';

/** Builds the shell commands for a step. `TOKEN` and `KEY` stay variables, since they are secrets. */
export function buildCurl(step: Step, { url, assistantId = 'ASSISTANT_ID', service }: SnippetValues): string {
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

/** Builds the environment variables that the workers read. */
export const buildEnvironment = ({ url, assistantId = '' }: SnippetValues): string =>
  `export VOICE_ASSISTANTS_URL=${url}
export VOICE_ASSISTANTS_KEY=va_…   # your API key
export ASSISTANT_ID=${assistantId}`;

/**
 * Extracts the commands that install and start a worker from the opening comment of its source: the first block of
 * indented lines.
 */
export function extractCommands(source: string): string {
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
