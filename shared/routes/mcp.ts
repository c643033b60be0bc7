import { route } from '../route.ts';
import { McpAnswer, McpMessage, McpQuery } from '../schemas/mcp.ts';

export const serve = /* @__PURE__ */ route(() => ({
  id: 'mcp/serve',
  method: 'POST',
  path: '/mcp',
  scope: 'any',
  summary: 'Serve the operations as tools to coding agents',
  description:
    'The Model Context Protocol over Streamable HTTP, without sessions and without streams. Its tools are the operations of this document, ' +
    'except those that show secrets, receive files or start jobs. A call of a tool is a request to this API with the same token, so it ' +
    'can do what the token can, and counts for the same quotas. What the operation answers is the result, up to 64 KB. Errors of the protocol ' +
    'are JSON-RPC errors, with the status that the protocol asks for; a notification is answered with 202.',
  query: McpQuery,
  body: McpMessage,
  maxBodyBytes: 1024 * 1024,
  mayBeLossy: true,
  repeatable: true,
  hasNotifications: true,
  timeoutSeconds: 27,
  returns: McpAnswer,
  errors: [],
  needs: {},
}));
