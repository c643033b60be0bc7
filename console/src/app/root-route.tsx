import { createRootRoute } from '@tanstack/react-router';
import { Shell } from './shell.tsx';

/** Parent of every page. Each feature adds its routes to it, in its own `routes.ts`. */
export const rootRoute = createRootRoute({ component: Shell });
