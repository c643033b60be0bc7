import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { insert, type NewAssistant, read, userOf } from './assistants.ts';

/** No framework and no validator: the least that the endpoint can cost. It neither logs nor measures anything. */

const answer = (statusCode: number, body: unknown): APIGatewayProxyResult => ({
  statusCode,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

const isText = (value: unknown, least: number, most: number): value is string =>
  typeof value === 'string' && value.length >= least && value.length <= most;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The names among the settings, with their standard values. */
const standards = {
  voice: { tts_provider: 'cartesia', tts_model: 'default', language: 'en' },
  llm: { llm_provider: 'openai', model: 'gpt-4.1-mini' },
  transcriber: { stt_provider: 'deepgram', stt_model: 'nova-3', language: 'en' },
};

/** The settings of a body, what it leaves out at its standard value; the first field that is wrong as a text. */
function settingsOf(body: Record<string, unknown>): Pick<NewAssistant, 'voice' | 'llm' | 'transcriber'> | string {
  const settings: Record<string, Record<string, unknown>> = {};
  for (const [part, names] of Object.entries(standards)) {
    const given = body[part] ?? {};
    if (!isObject(given)) return part;
    const filled: Record<string, unknown> = { ...names, ...given };
    for (const name of Object.keys(names)) if (!isText(filled[name], 1, 128)) return `${part}.${name}`;
    settings[part] = filled;
  }
  return settings as Pick<NewAssistant, 'voice' | 'llm' | 'transcriber'>;
}

/** A body that is right, or the first field that is wrong. */
function parse(body: unknown): NewAssistant | string {
  if (!isObject(body)) return 'body';
  const { name, system_instruction, description = null, first_message = 'Hello! How can I help you?' } = body;
  const { transport = {} } = body;
  if (!isText(name, 1, 200)) return 'name';
  if (!isText(system_instruction, 1, 100_000)) return 'system_instruction';
  if (description !== null && !isText(description, 0, 2_000)) return 'description';
  if (first_message !== null && !isText(first_message, 0, 10_000)) return 'first_message';
  const settings = settingsOf(body);
  if (typeof settings === 'string') return settings;
  const { voice } = settings;
  if (voice.voice_id !== undefined && voice.voice_id !== null && !isText(voice.voice_id, 0, 256))
    return 'voice.voice_id';
  if (!isObject(transport) || !isObject(transport.sip_config ?? {})) return 'transport';
  return {
    name,
    system_instruction,
    description,
    first_message,
    ...settings,
    voice: { voice_id: null, ...voice },
    transport: { sip_config: {}, ...transport },
  };
}

export async function handler(event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
  const user = await userOf(event.headers.Authorization ?? event.headers.authorization);
  if (user === undefined) return answer(401, { message: 'Send a valid token' });
  if (event.httpMethod === 'GET') {
    const id = event.pathParameters?.assistant_id ?? '';
    if (!uuid.test(id)) return answer(400, { message: 'The id is no UUID' });
    const assistant = await read(user, id);
    return assistant ? answer(200, assistant) : answer(404, { message: 'No such assistant' });
  }
  let body: unknown;
  try {
    body = JSON.parse(event.body ?? '');
  } catch {
    return answer(400, { message: 'The body is no JSON' });
  }
  const content = parse(body);
  if (typeof content === 'string') return answer(400, { message: `${content} is not valid` });
  return answer(200, await insert(user, content));
}
