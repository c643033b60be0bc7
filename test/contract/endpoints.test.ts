import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { buildEndpointsPage } from '../../infra/commands/derive/endpoints-page.ts';
import { buildEvent } from '../../infra/commands/derive/events.ts';
import type { Route } from '../../shared/route.ts';
import { routes } from '../../shared/routes/index.ts';

test('docs/endpoints.md is up to date (npm run derive)', () => {
  expect(readFileSync('docs/endpoints.md', 'utf8')).toBe(buildEndpointsPage(routes));
});

describe('the event of a new route', () => {
  const route: Route = {
    id: 'assistants/duplicate',
    method: 'POST',
    path: '/assistants/{assistant_id}/duplicate/{unknown_id}',
    summary: 'Duplicate an assistant',
    scope: 'write',
    workersOnly: true,
    body: v.object({}),
    returns: v.unknown(),
    errors: [],
    needs: {},
  };

  test('names the route, reuses parameters of existing events, and has an empty body', () => {
    const path = '/assistants/01a1fce7-9d80-7c4e-9b2f-5d8a3e6f1c07/duplicate/ID';
    expect(buildEvent(route)).toMatchObject({
      httpMethod: 'POST',
      resource: route.path,
      path,
      pathParameters: { assistant_id: '01a1fce7-9d80-7c4e-9b2f-5d8a3e6f1c07', unknown_id: 'ID' },
      headers: { Authorization: 'Bearer <api key>', 'Content-Type': 'application/json' },
      multiValueHeaders: { Authorization: ['Bearer <api key>'] },
      requestContext: { httpMethod: 'POST', path: `/dev${path}`, resourcePath: route.path },
      body: '{}',
    });
  });

  test('has no body and no parameters if the route takes none', () => {
    const { body: _, ...bodyless } = route;
    expect(buildEvent({ ...bodyless, method: 'GET', path: '/things' })).toMatchObject({
      path: '/things',
      pathParameters: null,
      body: null,
    });
  });
});
