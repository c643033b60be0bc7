import { useWindowEvent } from '@mantine/hooks';
import { CatchBoundary, type ErrorComponentProps } from '@tanstack/react-router';
import { type ComponentType, Fragment, lazy, type ReactElement, type ReactNode, Suspense } from 'react';
import { chunkFailure } from '../../strings/failures.ts';
import { Failure } from '../feedback/failure.tsx';
import { Page } from '../page/page.tsx';
import { ChunkLoadError } from './chunk-load-error.ts';

/** Props of a component. */
// biome-ignore lint/suspicious/noExplicitAny: a page's type depends on the routes, which depend on this
type ComponentProps<C> = C extends (props: infer P) => any ? P : never;

/**
 * Wraps a module's component so that its code loads on first render, or earlier with `preload`. Shows `fallback` until
 * then. If loading fails, the rest of the page stays usable: shows the error inside `Frame` with a retry button, and
 * retries when the browser comes back online.
 */
export function lazyComponent<M, N extends keyof M>(
  load: () => Promise<M>,
  name: N,
  fallback: ReactNode = null,
  Frame: ComponentType<{ children: ReactNode }> = Fragment,
): ((props: ComponentProps<M[N]>) => ReactElement) & { preload: () => Promise<void> } {
  const loadModule = () =>
    load().catch((cause) => {
      throw new ChunkLoadError(String(cause), { cause });
    });
  const createPart = () => lazy(async () => ({ default: (await loadModule())[name] as ComponentType<object> }));
  // React caches a failed load forever, so a retry needs a new lazy component.
  let Part = createPart();
  const CurrentPart = (props: object) => <Part {...props} />;

  function LoadFailure({ error, reset }: ErrorComponentProps) {
    const isChunkError = error instanceof ChunkLoadError;
    const reload = async () => {
      await loadModule();
      Part = createPart();
      reset();
    };
    useWindowEvent('online', () => {
      if (isChunkError) reload().catch(ignore);
    });
    if (!isChunkError) throw error;
    const retry = () =>
      reload().catch(() => {
        // A newer release may have deleted this chunk: reload to get its successor.
        if (navigator.onLine) location.reload();
      });
    return (
      <Frame>
        <Failure error={error} onRetry={() => void retry()} />
      </Frame>
    );
  }

  const LazyComponent = (props: ComponentProps<M[N]>) => (
    <CatchBoundary getResetKey={() => ''} errorComponent={LoadFailure}>
      <Suspense fallback={fallback}>
        <CurrentPart {...(props as object)} />
      </Suspense>
    </CatchBoundary>
  );
  return Object.assign(LazyComponent, { preload: () => loadModule().then(ignore, ignore) });
}

const PageFrame = ({ children }: { children: ReactNode }) => <Page title={chunkFailure.page}>{children}</Page>;

/** Wraps a page so that its code loads when the user is about to open it. Keeps a heading if loading fails. */
export const lazyPage = <M, N extends keyof M>(load: () => Promise<M>, name: N) =>
  lazyComponent(load, name, null, PageFrame);

const ignore = () => undefined;
