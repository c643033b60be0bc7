import type { Route } from '../route.ts';
import * as analytics from './analytics.ts';
import * as apiKeys from './api-keys.ts';
import * as assistants from './assistants.ts';
import * as chats from './chats.ts';
import * as completions from './completions.ts';
import * as credentials from './credentials.ts';
import * as events from './events.ts';
import * as jobs from './jobs.ts';
import * as knowledgeBases from './knowledge-bases.ts';
import * as logs from './logs.ts';
import * as mcp from './mcp.ts';
import * as protectedRoutes from './protected.ts';
import * as search from './search.ts';
import * as usage from './usage.ts';
import * as versions from './versions.ts';
import * as vision from './vision.ts';
import * as webCalls from './web-calls.ts';
import * as webhooks from './webhooks.ts';

/** Table of all routes. Functions import their route only, never this table. */
export const routes: readonly Route[] = [
  ...Object.values(protectedRoutes),
  ...Object.values(apiKeys),
  ...Object.values(assistants),
  ...Object.values(versions),
  ...Object.values(knowledgeBases),
  ...Object.values(completions),
  ...Object.values(vision),
  ...Object.values(webCalls),
  ...Object.values(jobs),
  ...Object.values(search),
  ...Object.values(credentials),
  ...Object.values(logs),
  ...Object.values(chats),
  ...Object.values(usage),
  ...Object.values(analytics),
  ...Object.values(events),
  ...Object.values(webhooks),
  ...Object.values(mcp),
];
