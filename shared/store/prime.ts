import type { DeserializeHandlerOutput, MiddlewareStack } from '@smithy/types';

/**
 * Has a client of the SDK go through a request and its answer while the function starts, without sending it. What it loads and
 * compiles for its first one is then done when the processor is all the function's; later it has a share, less than a third at
 * 512 MB (docs/decisions/0013-start-up-work.md). `answer` is what the service says, as JSON. Never throws.
 */
export function prime<Input extends object, Output extends object>(
  client: { middlewareStack: MiddlewareStack<Input, Output> },
  request: () => Promise<unknown>,
  answer: object,
): void {
  const response = { statusCode: 200, headers: {}, body: Buffer.from(JSON.stringify(answer)) };
  const standIn = async () => ({ response }) as unknown as DeserializeHandlerOutput<Output>;
  const name = 'standIn';
  client.middlewareStack.add(() => standIn, { step: 'deserialize', priority: 'low', name });
  request().catch(() => {});
  client.middlewareStack.remove(name); // a request keeps the middlewares that it began with
}
