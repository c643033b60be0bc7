import { describe, expect, it } from 'vitest';
import type { MiddlewareRequest } from '../../shared/http/middleware/middleware.ts';
import { getOwnUrl } from '../../shared/http/own-url.ts';

/** Returns the address of the API for a request with this header `X-Forwarded-Proto`. */
function getUrl(protocol: string | undefined, path = '/dev/mcp'): string {
  const event = {
    headers: protocol === undefined ? {} : { 'X-Forwarded-Proto': protocol },
    requestContext: { domainName: 'api.example.com', path },
  };
  return getOwnUrl(event as unknown as MiddlewareRequest['event'], { path: '/mcp' });
}

describe('the address of the own API', () => {
  it('has the protocol and the stage of the request', () => {
    expect(getUrl('http')).toBe('http://api.example.com/dev');
    expect(getUrl('https')).toBe('https://api.example.com/dev');
    expect(getUrl('https', '/mcp/')).toBe('https://api.example.com');
  });

  it.each([
    undefined,
    '',
    'HTTP',
    'http, https',
    'ftp',
    'https://evil.example/?',
    'http://evil.example/?',
    'https://evil.example#',
    'https://evil.example\\',
  ])('has the host of the gateway and https for the protocol %s', (protocol) => {
    expect(getUrl(protocol)).toBe('https://api.example.com/dev');
  });
});
