import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.tsx';
import { lazyPage } from '../ui/loading/lazy.tsx';
import { type Span, spans } from './days.ts';

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

interface Search {
  days?: Span | undefined;
  /** Id of the only assistant to show. */
  assistant?: string | undefined;
}

export const overviewRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/overview',
    validateSearch: ({ days, assistant }: Record<string, unknown>): Search => ({
      days: spans.find((span) => span === Number(days)),
      assistant: typeof assistant === 'string' && uuidPattern.test(assistant) ? assistant : undefined,
    }),
    component: lazyPage(() => import('./page.tsx'), 'OverviewPage'),
  }),
] as const;
