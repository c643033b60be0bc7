import { listToolUrls } from '../domain/tools/tools.ts';
import { env } from '../env.ts';
import { Invalid } from '../errors.ts';
import type { McpServer, Tool } from '../schemas/tool.ts';
import { findUrlFault } from './url-rules.ts';

/** Hosts that the operator exempts from the rules for addresses, as `host:port`, with `*` for any port. */
export const allowedHosts = env('OUTBOUND_ALLOW').split(',').filter(Boolean);

/** Throws Invalid if the service must not request a URL that a client named. `loc` is its place in the request. */
export function checkUrl(url: string | undefined, ...loc: string[]): void {
  const fault = url === undefined ? undefined : findUrlFault(url, allowedHosts);
  if (fault) throw new Invalid([{ loc, ...fault }]);
}

/** Throws Invalid if the service must not request the URL of a tool or an MCP server in a body. */
export function checkToolUrls({
  tools,
  mcp_servers,
}: {
  tools?: Tool[] | null | undefined;
  mcp_servers?: McpServer[] | null | undefined;
}): void {
  for (const [url, loc] of listToolUrls(tools ?? [], mcp_servers ?? [])) checkUrl(url, ...loc);
}
