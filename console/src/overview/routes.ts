import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.tsx';
import { laterPage } from '../ui/later.tsx';
import { type Span, spans } from './days.ts';

interface Search {
  days?: Span | undefined;
  /** The id of the assistant whose calls are shown alone. */
  assistant?: string | undefined;
}

export const overviewRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/overview',
    validateSearch: ({ days, assistant }: Record<string, unknown>): Search => ({
      days: spans.find((span) => span === Number(days)),
      assistant: typeof assistant === 'string' && assistant !== '' ? assistant : undefined,
    }),
    component: laterPage(() => import('./page.tsx'), 'OverviewPage'),
  }),
] as const;
