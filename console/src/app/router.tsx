import { createRouter } from '@tanstack/react-router';
import { assistantsRoutes } from '../assistants/routes.ts';
import { callsRoutes } from '../calls/routes.ts';
import { credentialsRoutes } from '../credentials/routes.ts';
import { keysRoutes } from '../keys/routes.ts';
import { knowledgeRoutes } from '../knowledge/routes.ts';
import { overviewRoutes } from '../overview/routes.ts';
import { startRoutes } from '../start/routes.ts';
import { consoleFailure } from '../strings/failures.ts';
import { Failure } from '../ui/failure.tsx';
import { Loading } from '../ui/loading.tsx';
import { NotFound } from '../ui/not-found.tsx';
import { Page } from '../ui/page.tsx';
import { rootRoute } from './root-route.tsx';

const routeTree = rootRoute.addChildren([
  ...startRoutes,
  ...overviewRoutes,
  ...assistantsRoutes,
  ...knowledgeRoutes,
  ...callsRoutes,
  ...credentialsRoutes,
  ...keysRoutes,
]);

/** Every page by its address. A page's code is loaded when somebody is about to go there. */
export const router = createRouter({
  routeTree,
  basepath: import.meta.env.BASE_URL,
  defaultPreload: 'intent',
  scrollRestoration: true,
  // In the frame, so that one can go elsewhere.
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
