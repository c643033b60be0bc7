import {
  type CallLog,
  callLog,
  chooseAssistant,
  chooseVariables,
  chooseVendor,
  chooseVersion,
  fromEnvironment,
  getCredential,
  load,
  Refused,
  type Role,
  saveCall,
  sendWaiting,
  startCall,
  Unavailable,
} from '../../docs/workers/worker.ts';

// Runs a worker's steps, given as JSON in the first argument, and prints their results as JSON.

const api = fromEnvironment();

type Step =
  | ['load', string]
  | ['start', [assistantId: string, room: string, version?: string]]
  | ['credential', { assistant_id: string; role: Role }]
  | ['choose', [metadata: string, number?: string]]
  | ['variables', string]
  | ['version', string]
  | ['build', { assistant_id: string; role: Role }]
  | ['log', [startedAt: string, endedAt: string]]
  | ['save', CallLog]
  | ['send waiting', null];

async function runStep([name, argument]: Step): Promise<unknown> {
  if (name === 'load') return load(api, argument);
  if (name === 'start') {
    const [assistantId, room, version] = argument;
    return startCall(api, assistantId, { call: { room_name: room }, variables: {} }, version);
  }
  if (name === 'credential') return getCredential(await load(api, argument.assistant_id), argument.role);
  if (name === 'choose') return chooseAssistant(...argument);
  if (name === 'variables') return chooseVariables(argument);
  if (name === 'version') return chooseVersion(argument);
  if (name === 'build') return chooseVendor(await load(api, argument.assistant_id), argument.role).options;
  if (name === 'log') return callLog('', '', new Date(argument[0]), [], new Date(argument[1]));
  if (name === 'save') return saveCall(api, argument);
  return sendWaiting(api);
}

const tryStep = (step: Step) =>
  runStep(step).then(
    (returned) => ({ returned: returned ?? null }),
    (error) => {
      if (error instanceof Refused) return { refused: error.status };
      if (error instanceof Unavailable) return { unavailable: true };
      return { failed: error.message };
    },
  );

const results: unknown[] = [];
for (const step of JSON.parse(process.argv[2] ?? '[]') as Step[]) results.push(await tryStep(step));
console.log(JSON.stringify(results));
