import type { Route } from '../../shared/route.ts';

/** Nested stack of each group of routes whose functions are not in the API's own stack, which would grow too large. */
const stacksByGroup = {
  events: 'Events',
  webhooks: 'Webhooks',
  usage: 'Usage',
  analytics: 'Usage',
  versions: 'Versions',
  completions: 'Conversations',
  vision: 'Conversations',
  jobs: 'Jobs',
  search: 'Conversations',
  'web-calls': 'Conversations',
  mcp: 'Conversations',
} as const;

/** Names of the nested stacks that hold functions of routes. */
export type RouteStack = (typeof stacksByGroup)[keyof typeof stacksByGroup];

/** Returns the name of the nested stack that holds a route's function, or undefined for the API's own. */
export function findRouteStack({ id }: Route): RouteStack | undefined {
  const [group = ''] = id.split('/');
  return (stacksByGroup as Record<string, RouteStack>)[group];
}
