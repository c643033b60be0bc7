import express, { type NextFunction, type Request, type Response } from 'express';
import serverless from 'serverless-http';
import { insert, read, verifyToken } from './assistants.ts';
import { AssistantPath, NewAssistant } from './schema.ts';

// https://expressjs.com/en/guide/using-middleware.html, https://github.com/dougmoscrop/serverless-http

const app = express();

app.use(express.json());

app.use(async (request: Request, response: Response, next: NextFunction) => {
  const user = await verifyToken(request.get('authorization'));
  if (user === undefined) {
    response.status(401).json({ message: 'Send a valid token' });
    return;
  }
  response.locals.user = user;
  next();
});

app.get('/assistants/:id', async (request, response) => {
  const { data: path, error } = AssistantPath.safeParse(request.params);
  if (error) {
    response.status(400).json(error.issues);
    return;
  }
  const assistant = await read(response.locals.user, path.id);
  response.status(assistant ? 200 : 404).json(assistant ?? { message: 'No such assistant' });
});

app.post('/assistants', async (request, response) => {
  const { data: content, error } = NewAssistant.safeParse(request.body);
  if (error) response.status(400).json(error.issues);
  else response.json(await insert(response.locals.user, content));
});

export const handler = serverless(app);
