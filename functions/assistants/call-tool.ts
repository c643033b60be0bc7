import { prepareHttpTool, runHttpTool } from '../../shared/conversation/run-http-tool.ts';
import { findHttpTool } from '../../shared/domain/tools/tools.ts';
import { countedEndpoint } from '../../shared/http/endpoint.ts';
import { callTool } from '../../shared/routes/assistants.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import { readForCall } from '../../shared/store/call-config.ts';

/** Runs an `http` tool of an assistant, so that the worker never has its key. */
export const handler = countedEndpoint(callTool, async ({ params, query, body, user, audit, count }) => {
  const room = body.call.room_name ?? undefined;
  const { stored: assistant } = await readForCall(user.key, params.assistant_id, { version: query.version, room });
  const tool = findHttpTool(assistant.tools, params.tool_name);
  const request = await prepareHttpTool(assistant, tool, body);
  await count();
  const { answer, credential } = await runHttpTool(user.key, request);
  audit('tool', { assistant: assistant.id, credential, status: answer.status, error: answer.error });
  return { body: toEnvelope('Tool called', answer) };
});
