import type { DeserializeHandlerOutput, MiddlewareStack } from '@smithy/types';

/**
 * Runs a request through an SDK client at function start, without sending it. The client then loads and compiles the
 * code of its first request while the function has a full CPU. Later it has a share, less than a third at 512 MB
 * (docs/decisions/0013-start-up-work.md). `answer` is the simulated JSON response. Never throws.
 */
export function prime<Input extends object, Output extends object>(
  client: { middlewareStack: MiddlewareStack<Input, Output> },
  request: () => Promise<unknown>,
  answer: object,
): void {
  const response = { statusCode: 200, headers: {}, body: Buffer.from(JSON.stringify(answer)) };
  const stubResponse = async () => ({ response }) as unknown as DeserializeHandlerOutput<Output>;
  const name = 'stubResponse';
  client.middlewareStack.add(() => stubResponse, { step: 'deserialize', priority: 'low', name });
  request().catch(() => {});
  client.middlewareStack.remove(name); // the pending request keeps the middlewares that it started with
}
