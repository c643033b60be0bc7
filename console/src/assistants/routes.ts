import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.tsx';
import { laterPage } from '../ui/later.tsx';

/** A text in an address. One of digits alone is read as a number. */
const textOf = (value: unknown): string | undefined => {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
};

export const assistantsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/assistants',
    validateSearch: ({ name }: Record<string, unknown>): { name?: string | undefined } => ({ name: textOf(name) }),
    component: laterPage(() => import('./list-page.tsx'), 'ListPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/assistants/new',
    /** `from`: the id of the assistant that is copied. */
    validateSearch: ({ from }: Record<string, unknown>): { from?: string | undefined } => ({ from: textOf(from) }),
    component: laterPage(() => import('./new-page.tsx'), 'NewPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/assistants/$assistantId',
    component: laterPage(() => import('./edit-page.tsx'), 'EditPage'),
  }),
] as const;
