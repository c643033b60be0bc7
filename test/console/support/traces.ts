import type { Page } from 'playwright-core';

/**
 * Lists the places in a page that contain a text: the document, form fields, storage, and the query cache. Finds the
 * cache the way React's developer tools do.
 */
export const findTraces = (page: Page, text: string): Promise<string[]> =>
  page.evaluate(async (text) => {
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
    const findClient = (fiber: Fiber | null | undefined): ReturnType<typeof getClient> =>
      fiber ? (getClient(fiber) ?? findClient(fiber.child) ?? findClient(fiber.sibling)) : undefined;
    const getClient = (fiber: Fiber) => {
      const client = fiber.memoizedProps?.client;
      return client && 'getQueryCache' in client ? client : undefined;
    };
    const client = findClient(root[key]?.stateNode?.current);
    if (!client) throw new Error('The cache was not found');
    const serialize = (cache: Cache) => JSON.stringify(cache.getAll().map(({ queryKey, state }) => [queryKey, state]));
    const places = {
      document: document.documentElement.outerHTML,
      fields: [...document.querySelectorAll('input, textarea')].map((one) => (one as HTMLInputElement).value).join(),
      sessionStorage: JSON.stringify(sessionStorage),
      localStorage: JSON.stringify(localStorage),
      databases: JSON.stringify(await indexedDB.databases()),
      address: location.href + JSON.stringify(history.state),
      cookies: document.cookie,
      queries: serialize(client.getQueryCache()),
      mutations: serialize(client.getMutationCache()),
    };
    return Object.entries(places).flatMap(([place, content]) => (content.includes(text) ? [place] : []));
  }, text);
