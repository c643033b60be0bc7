import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { insert, type NewAssistant, read, verifyToken } from './assistants.ts';

/** A handler without framework or validator: the lower bound of the cost. It logs and measures nothing. */

const createResponse = (statusCode: number, body: unknown): APIGatewayProxyResult => ({
  statusCode,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

const isText = (value: unknown, min: number, max: number): value is string =>
  typeof value === 'string' && value.length >= min && value.length <= max;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Default values of the settings that are names. */
const defaults = {
  voice: { tts_provider: 'cartesia', tts_model: 'default', language: 'en' },
  llm: { llm_provider: 'openai', model: 'gpt-4.1-mini' },
  transcriber: { stt_provider: 'deepgram', stt_model: 'nova-3', language: 'en' },
};

/** Returns the settings of a body with defaults filled in, or the name of the first invalid field. */
function parseSettings(body: Record<string, unknown>): Pick<NewAssistant, 'voice' | 'llm' | 'transcriber'> | string {
  const settings: Record<string, Record<string, unknown>> = {};
  for (const [part, names] of Object.entries(defaults)) {
    const given = body[part] ?? {};
    if (!isObject(given)) return part;
    const filled: Record<string, unknown> = { ...names, ...given };
    for (const name of Object.keys(names)) if (!isText(filled[name], 1, 128)) return `${part}.${name}`;
    settings[part] = filled;
  }
  return settings as Pick<NewAssistant, 'voice' | 'llm' | 'transcriber'>;
}

/** Returns a valid body, or the name of the first invalid field. */
function parse(body: unknown): NewAssistant | string {
  if (!isObject(body)) return 'body';
  const { name, system_instruction, description = null, first_message = 'Hello! How can I help you?' } = body;
  const { transport = {} } = body;
  if (!isText(name, 1, 200)) return 'name';
  if (!isText(system_instruction, 1, 100_000)) return 'system_instruction';
  if (description !== null && !isText(description, 0, 2_000)) return 'description';
  if (first_message !== null && !isText(first_message, 0, 10_000)) return 'first_message';
  const settings = parseSettings(body);
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
  const user = await verifyToken(event.headers.Authorization ?? event.headers.authorization);
  if (user === undefined) return createResponse(401, { message: 'Send a valid token' });
  if (event.httpMethod === 'GET') {
    const id = event.pathParameters?.assistant_id ?? '';
    if (!uuid.test(id)) return createResponse(400, { message: 'The id is not a UUID' });
    const assistant = await read(user, id);
    return assistant ? createResponse(200, assistant) : createResponse(404, { message: 'No such assistant' });
  }
  let body: unknown;
  try {
    body = JSON.parse(event.body ?? '');
  } catch {
    return createResponse(400, { message: 'The body is not JSON' });
  }
  const content = parse(body);
  if (typeof content === 'string') return createResponse(400, { message: `${content} is not valid` });
  return createResponse(200, await insert(user, content));
}
