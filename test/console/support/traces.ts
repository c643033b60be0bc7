import type { Page } from 'playwright-core';

/**
 * Where in a page, other than in its network, a text is: in the document, what its fields hold, what it stores, and the
 * cache of what was read and written. The cache is found as React's own tools find it.
 */
export const tracesOf = (page: Page, text: string): Promise<string[]> =>
  page.evaluate(async (sought) => {
    interface Fiber {
      child: Fiber | null;
      sibling: Fiber | null;
      stateNode: { current?: Fiber } | null;
      memoizedProps: { client?: { getQueryCache(): Cache; getMutationCache(): Cache } } | null;
    }
    interface Cache {
      getAll(): { queryKey?: unknown; state: unknown }[];
    }
    const root = document.getElementById('root') as unknown as Record<string, Fiber>;
    const key = Object.keys(root).find((name) => name.startsWith('__reactContainer$')) ?? '';
    const clientIn = (fiber: Fiber | null | undefined): ReturnType<typeof clientOf> =>
      fiber ? (clientOf(fiber) ?? clientIn(fiber.child) ?? clientIn(fiber.sibling)) : undefined;
    const clientOf = (fiber: Fiber) => {
      const client = fiber.memoizedProps?.client;
      return client && 'getQueryCache' in client ? client : undefined;
    };
    const client = clientIn(root[key]?.stateNode?.current);
    if (!client) throw new Error('The cache was not found');
    const told = (cache: Cache) => JSON.stringify(cache.getAll().map(({ queryKey, state }) => [queryKey, state]));
    const places = {
      document: document.documentElement.outerHTML,
      fields: [...document.querySelectorAll('input, textarea')].map((one) => (one as HTMLInputElement).value).join(),
      sessionStorage: JSON.stringify(sessionStorage),
      localStorage: JSON.stringify(localStorage),
      databases: JSON.stringify(await indexedDB.databases()),
      address: location.href + JSON.stringify(history.state),
      cookies: document.cookie,
      queries: told(client.getQueryCache()),
      mutations: told(client.getMutationCache()),
    };
    return Object.entries(places).flatMap(([place, content]) => (content.includes(sought) ? [place] : []));
  }, text);
