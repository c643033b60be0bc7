import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Client } from './api.ts';

/** Revisions of the protocol: with one handshake for all requests, or with what each request needs in itself. */
export type Era = 'legacy' | 'modern';

/** Connects the official client of the Model Context Protocol, as a user. */
export async function connectMcp(user: Client, era: Era = 'legacy', query = ''): Promise<McpClient> {
  const client = new McpClient(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } } },
  );
  const headers = { ...user.headers, authorization: `Bearer ${user.token}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${user.baseUrl}/mcp${query}`), { requestInit: { headers } }),
  );
  return client;
}

/** Returns the texts of a tool's result. */
export const listTexts = ({ content }: Awaited<ReturnType<McpClient['callTool']>>): string[] =>
  content.flatMap((one) => (one.type === 'text' ? [one.text] : []));
