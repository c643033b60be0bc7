import { createRootRoute } from '@tanstack/react-router';
import { Shell } from './shell.tsx';

/** What every page stands in. Each feature adds its routes to it, in a `routes.ts` of its own. */
export const rootRoute = createRootRoute({ component: Shell });
