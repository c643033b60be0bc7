import { mcpEndpoint } from '../../shared/http/mcp-endpoint.ts';
import { listTools, version } from '../../shared/mcp/list-tools.ts';
import { serveMessage } from '../../shared/mcp/serve-message.ts';
import { serve } from '../../shared/routes/mcp.ts';

/** Serves the operations as tools. Has no permissions: a tool is called with the token of the client. */
export const handler = mcpEndpoint(serve, async ({ body, query, headers, api }) =>
  serveMessage({ message: body, headers, version, tools: listTools(query.tools), api }),
);
