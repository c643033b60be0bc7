import type { Route } from '../route.ts';
import * as apiKeys from './api-keys.ts';
import * as assistants from './assistants.ts';
import * as chats from './chats.ts';
import * as credentials from './credentials.ts';
import * as events from './events.ts';
import * as knowledgeBases from './knowledge-bases.ts';
import * as logs from './logs.ts';
import * as protectedRoutes from './protected.ts';
import * as webhooks from './webhooks.ts';

/** Table of all routes. Functions import their route only, never this table. */
export const routes: readonly Route[] = [
  ...Object.values(protectedRoutes),
  ...Object.values(apiKeys),
  ...Object.values(assistants),
  ...Object.values(knowledgeBases),
  ...Object.values(credentials),
  ...Object.values(logs),
  ...Object.values(chats),
  ...Object.values(events),
  ...Object.values(webhooks),
];
