import type { JSONObject } from '@aws-lambda-powertools/commons/types';
import { NotFoundError, Router, UnauthorizedError } from '@aws-lambda-powertools/event-handler/http';
import type { Context } from 'aws-lambda';
import { insert, read, verifyToken } from './assistants.ts';
import { AssistantPath, NewAssistant } from './schema.ts';

// https://docs.aws.amazon.com/powertools/typescript/latest/features/event-handler/http/

const app = new Router<{ store: { request: { user: string } } }>();

app.use(async ({ reqCtx, next }) => {
  const user = await verifyToken(reqCtx.req.headers.get('authorization') ?? undefined);
  if (user === undefined) throw new UnauthorizedError('Send a valid token');
  reqCtx.set('user', user);
  await next();
});

app.get(
  '/assistants/:id',
  async (reqCtx) => {
    const assistant = await read(reqCtx.get('user') ?? '', reqCtx.valid.req.path.id);
    if (!assistant) throw new NotFoundError('No such assistant');
    return assistant as object as JSONObject;
  },
  { validation: { req: { path: AssistantPath } } },
);

app.post(
  '/assistants',
  async (reqCtx) => (await insert(reqCtx.get('user') ?? '', reqCtx.valid.req.body)) as object as JSONObject,
  {
    validation: { req: { body: NewAssistant } },
  },
);

export const handler = (event: unknown, context: Context) => app.resolve(event, context);
