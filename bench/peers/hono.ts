import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import { handle } from 'hono/aws-lambda';
import { HTTPException } from 'hono/http-exception';
import { insert, read, verifyToken } from './assistants.ts';
import { AssistantPath, NewAssistant } from './schema.ts';

// https://hono.dev/docs/getting-started/aws-lambda, https://hono.dev/docs/guides/validation

const app = new Hono<{ Variables: { user: string } }>();

app.use(async (c, next) => {
  const user = await verifyToken(c.req.header('authorization'));
  if (user === undefined) throw new HTTPException(401, { message: 'Send a valid token' });
  c.set('user', user);
  await next();
});

app.get('/assistants/:id', zValidator('param', AssistantPath), async (c) => {
  const assistant = await read(c.var.user, c.req.valid('param').id);
  return assistant ? c.json(assistant) : c.json({ message: 'No such assistant' }, 404);
});

app.post('/assistants', zValidator('json', NewAssistant), async (c) =>
  c.json(await insert(c.var.user, c.req.valid('json'))),
);

export const handler = handle(app);
