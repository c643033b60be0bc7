import { build } from 'esbuild';
import { expect } from 'vitest';
import type * as Package from '../../clients/typescript/src/index.ts';
import { generateWebhookSecret, parseWebhookSecret, sign } from '../../shared/domain/signature.ts';
import { minimal } from '../support/assistants.ts';
import { consoleUrl, describeConsole, test } from './support/console.ts';

declare const clientPackage: typeof Package;

describeConsole('the TypeScript client in a browser', () => {
  test('calls the API, throws its errors, and checks webhooks', async ({ page, user }) => {
    const { outputFiles } = await build({
      entryPoints: ['clients/typescript/src/index.ts'],
      bundle: true,
      write: false,
      format: 'iife',
      globalName: 'clientPackage',
    });
    await page.goto(`${consoleUrl}/`);
    await page.evaluate(`${outputFiles[0]?.text}; window.clientPackage = clientPackage`);
    const { baseUrl, token } = user;
    const called = await page.evaluate(
      async ({ baseUrl, token, body }) => {
        const client = clientPackage.createClient({ baseUrl, token });
        const { data, headers } = await client.POST('/assistants', { body });
        const names: string[] = [];
        for await (const { name } of client.list('/assistants', { query: { limit: 1 } })) names.push(name);
        const params = { path: { assistant_id: data.id }, header: { 'If-Match': '"0-x"' } };
        const error = await client.DELETE('/assistants/{assistant_id}', { params }).catch((failure) => failure);
        return {
          etag: headers.get('etag'),
          names,
          isApiError: error instanceof clientPackage.ApiError,
          status: error.status,
        };
      },
      { baseUrl, token, body: minimal },
    );
    expect(called).toEqual({
      etag: expect.stringMatching(/^"1-/),
      names: [minimal.name],
      isApiError: true,
      status: 412,
    });

    const secret = generateWebhookSecret();
    const body = '{"type":"call.completed"}';
    const headers = sign([{ key: parseWebhookSecret(secret).key }], 'e1', Date.now(), body);
    const verify = (delivery: Package.Delivery) =>
      page.evaluate((one) => clientPackage.verifyWebhook(one).then(({ type }) => type, String), delivery);
    expect(await verify({ secret, headers: headers as Record<string, string>, body })).toBe('call.completed');
    expect(await verify({ secret, headers: headers as Record<string, string>, body: `${body} ` })).toContain(
      'The signature is wrong',
    );
  });
});
