import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.tsx';
import { lazyPage } from '../ui/loading/lazy.tsx';

/** Parses a text parameter. The router parses a text of digits as a number. */
const parseText = (value: unknown): string | undefined => {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
};

export const assistantsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/assistants',
    validateSearch: ({ name }: Record<string, unknown>): { name?: string | undefined } => ({ name: parseText(name) }),
    component: lazyPage(() => import('./list/list-page.tsx'), 'ListPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/assistants/new',
    /** `from` is the id of the assistant to copy. */
    validateSearch: ({ from }: Record<string, unknown>): { from?: string | undefined } => ({ from: parseText(from) }),
    component: lazyPage(() => import('./editor/new-page.tsx'), 'NewPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/assistants/$assistantId/versions',
    component: lazyPage(() => import('./versions/versions-page.tsx'), 'VersionsPage'),
  }),
] as const;
