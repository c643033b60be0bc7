import { describe, expect, test } from 'vitest';
import { parseDraft, parseTool } from '../../../console/src/assistants/draft/json-draft.ts';
import {
  findRowNameFault,
  listParameters,
  newTools,
  setParameters,
} from '../../../console/src/assistants/draft/tools.ts';

const schema = {
  type: 'object',
  properties: { order_id: { type: 'string', description: 'Its number' }, lines: { type: 'integer' } },
  required: ['order_id'],
  additionalProperties: false,
};

describe('the arguments of a tool', () => {
  test('become rows, and rows the same schema again', () => {
    const rows = listParameters(schema) ?? [];
    expect(rows).toEqual([
      { name: 'order_id', type: 'string', description: 'Its number', required: true },
      { name: 'lines', type: 'integer', description: '', required: false },
    ]);
    expect(setParameters(schema, rows)).toEqual(schema);
    expect(setParameters(schema, [])).toEqual({ type: 'object', properties: {}, additionalProperties: false });
  });

  test.each([
    ['nested', { properties: { a: { type: 'object', properties: {} } } }],
    ['bounded', { properties: { a: { type: 'string', maxLength: 3 } } }],
    ['no schemas', { properties: { a: 7 } }],
    ['no object', { properties: [] }],
    ['no list', { properties: {}, required: 'a' }],
  ])('are no rows if they are %s', (_, parameters) => {
    expect(listParameters(parameters)).toBeUndefined();
  });
});

test.each([
  ['order_id', undefined],
  ['2nd', undefined],
  ['toString', undefined],
  ['', 'empty'],
  ['lines', 'taken'],
  ['7', 'number'],
])('the name %j of a row has the fault %s', (name, fault) => {
  expect(findRowNameFault(name, ['lines'])).toBe(fault);
});

test('the JSON of a draft says what tools, servers and variables should be', () => {
  const parse = (fields: object) =>
    parseDraft(JSON.stringify({ name: 'x', system_instruction: 'y', ...fields })).faults;
  expect(
    parse({ tools: Object.values(newTools), mcp_servers: [{ name: 'x', url: '' }], variables: { a: {} } }),
  ).toEqual([]);
  expect(parse({ tools: {}, mcp_servers: [1], variables: { a: 1 }, timezone: 7 })).toEqual([
    'tools should be a list of objects with a type',
    'mcp_servers should be a list of objects with a name',
    expect.stringMatching(/^variables should be null, or an object/),
    'timezone should be text',
  ]);
  expect(parse({ tools: [newTools.http, { type: 'http', name: 5 }, { type: 'shell' }, 7] })).toEqual([
    'tools.1.name should be text',
    'tools.1.http should be an object with a url as text',
    'tools.2.type should be one of http, client, search, transfer, end_call',
    'tools.3.type should be one of http, client, search, transfer, end_call',
  ]);
});

describe('the JSON of a tool', () => {
  const http = { url: 'https://api.example.com' };

  test.each(Object.entries(newTools))('may be a new one: %s', (_, tool) => {
    expect(parseTool(JSON.stringify(tool))).toEqual({ value: tool, faults: [] });
  });

  test('may have everything that the API returns', () => {
    const credential = { service_type: 'orders', name: null, header: 'authorization', prefix: 'Bearer ' };
    const say = { start: null, failure: 'Sorry' };
    const request = { ...http, method: 'PUT', query: {}, headers: {}, timeout_seconds: 10, credential };
    const tool = { ...newTools.http, http: request, say };
    expect(parseTool(JSON.stringify(tool))).toEqual({ value: tool, faults: [] });
  });

  test.each<[tool: object, ...faults: string[]]>([
    [{}, 'type should be one of http, client, search, transfer, end_call'],
    [{ type: 'toString' }, 'type should be one of http, client, search, transfer, end_call'],
    [{ type: 'http' }, 'http should be an object with a url as text'],
    [{ type: 'http', http: {} }, 'http should be an object with a url as text'],
    [{ type: 'http', http: { ...http, method: 5 } }, 'http.method should be text'],
    [
      { type: 'http', http: { ...http, credential: 'orders' } },
      'http.credential should be null, or an object with a service_type as text',
    ],
    [{ type: 'client', name: 5, description: [] }, 'name should be text', 'description should be text'],
    [{ type: 'client', parameters: 'none' }, 'parameters should be an object'],
    [{ type: 'end_call', say: 'Bye' }, 'say should be an object with start and failure, each text or null'],
    [{ type: 'end_call', say: { start: {} } }, 'say should be an object with start and failure, each text or null'],
    [{ type: 'search', limit: '5', enabled: 1 }, 'limit should be a number', 'enabled should be true or false'],
    [{ type: 'transfer', destinations: {} }, 'destinations should be a list of objects with to and when as text'],
    [{ type: 'transfer', destinations: ['tel'] }, 'destinations should be a list of objects with to and when as text'],
  ])('is refused if the form could not show it: %j', (tool, ...faults) => {
    expect(parseTool(JSON.stringify(tool))).toEqual({ value: undefined, faults });
  });
});
