import { assistants } from '../../strings/assistants.ts';
import type { Draft } from './draft.ts';

const { jsonFault: messages } = assistants;

export type Tool = Draft['tools'][number];
export type ToolType = Tool['type'];

/** Types of tools, in the order of the menu. */
export const toolTypes: readonly ToolType[] = ['http', 'client', 'search', 'transfer', 'end_call'];

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrNothing = (value: unknown) => isText(value ?? '');

const isSpeech = (say: unknown) => isObject(say) && isTextOrNothing(say.start) && isTextOrNothing(say.failure);
const isCredential = (value: unknown) => isObject(value) && isText(value.service_type) && isTextOrNothing(value.name);
const isDestination = (value: unknown) => isObject(value) && isText(value.to) && isText(value.when);

/** Result of checking a field, with its name and what the form needs it to be. */
type FieldCheck = [isRight: boolean, field: string, what: string];

function checkRequest(http: unknown): FieldCheck[] {
  const { url, method = 'GET', credential = null } = isObject(http) ? http : {};
  return [
    [isText(url), 'http', 'an object with a url as text'],
    [isText(method), 'http.method', 'text'],
    [
      credential === null || isCredential(credential),
      'http.credential',
      'null, or an object with a service_type as text',
    ],
  ];
}

function checkFields(tool: Record<string, unknown>): FieldCheck[] {
  const {
    type,
    name = '',
    description = '',
    say = {},
    parameters = {},
    limit = 5,
    enabled = true,
    destinations,
  } = tool;
  const isList = Array.isArray(destinations) && destinations.every(isDestination);
  return [
    [isText(name), 'name', 'text'],
    [isText(description), 'description', 'text'],
    [isSpeech(say), 'say', 'an object with start and failure, each text or null'],
    [isObject(parameters), 'parameters', 'an object'],
    [typeof limit === 'number', 'limit', 'a number'],
    [typeof enabled === 'boolean', 'enabled', 'true or false'],
    [type !== 'transfer' || isList, 'destinations', 'a list of objects with to and when as text'],
    ...(type === 'http' ? checkRequest(tool.http) : []),
  ];
}

/** Lists what of a tool the form could not show, as `name` or, in a list, `tools.0.name`. The API checks the rest. */
export function findToolFaults(tool: unknown, place = ''): string[] {
  const isKnown = isObject(tool) && toolTypes.some((type) => type === tool.type);
  const checks: FieldCheck[] = isKnown ? checkFields(tool) : [[false, 'type', `one of ${toolTypes.join(', ')}`]];
  return checks.flatMap(([isRight, field, what]) => (isRight ? [] : [messages.be(place + field, what)]));
}
