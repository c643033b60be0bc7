import { createRoute, createRouter } from '@tanstack/react-router';
import { activityRoutes } from '../activity/routes.ts';
import { assistantsRoutes } from '../assistants/routes.ts';
import { callsRoutes } from '../calls/routes.ts';
import { credentialsRoutes } from '../credentials/routes.ts';
import { keysRoutes } from '../keys/routes.ts';
import { knowledgeRoutes } from '../knowledge/routes.ts';
import { overviewRoutes } from '../overview/routes.ts';
import { startRoutes } from '../start/routes.ts';
import { consoleFailure } from '../strings/failures.ts';
import { Failure } from '../ui/feedback/failure.tsx';
import { lazyPage } from '../ui/loading/lazy.tsx';
import { Loading } from '../ui/loading/loading.tsx';
import { NotFound } from '../ui/page/not-found.tsx';
import { Page } from '../ui/page/page.tsx';
import { webhooksRoutes } from '../webhooks/routes.ts';
import { rootRoute } from './root-route.tsx';

const assistantRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/assistants/$assistantId',
  component: lazyPage(() => import('./assistant-page.tsx'), 'AssistantPage'),
});

const routeTree = rootRoute.addChildren([
  ...startRoutes,
  ...overviewRoutes,
  ...assistantsRoutes,
  assistantRoute,
  ...knowledgeRoutes,
  ...callsRoutes,
  ...credentialsRoutes,
  ...keysRoutes,
  ...webhooksRoutes,
  ...activityRoutes,
]);

/** Routes to all pages. A page's code loads when the user hovers over or focuses a link to it. */
export const router = createRouter({
  routeTree,
  basepath: import.meta.env.BASE_URL,
  defaultPreload: 'intent',
  scrollRestoration: true,
  // Shown inside the shell, so that the user can still navigate.
  defaultPendingComponent: Loading,
  defaultErrorComponent: ({ error, reset }) => (
    <Page title={consoleFailure.title}>
      <Failure error={error} onRetry={reset} />
    </Page>
  ),
  defaultNotFoundComponent: NotFound,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
