import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.tsx';

export const assistantsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/assistants',
    component: lazyRouteComponent(() => import('./page.tsx'), 'AssistantsPage'),
  }),
] as const;
