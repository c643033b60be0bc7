import { useWindowEvent } from '@mantine/hooks';
import { CatchBoundary, type ErrorComponentProps } from '@tanstack/react-router';
import { type ComponentType, Fragment, lazy, type ReactElement, type ReactNode, Suspense } from 'react';
import { partFailure } from '../strings/failures.ts';
import { Failure } from './failure.tsx';
import { Page } from './page.tsx';
import { PartMissing } from './part-missing.ts';

/** What a component takes. */
// biome-ignore lint/suspicious/noExplicitAny: a page's own type hangs on the routes, which hang on this
type PropsOf<C> = C extends (props: infer P) => any ? P : never;

/**
 * The component of a module whose code comes when it is needed, or before by `preload`; until then, `fallback` is in its
 * place. Where the code cannot be had, the rest of the page stays as it is: it says so there, in `Frame`, can be tried again,
 * and comes by itself once the browser is online again.
 */
export function later<M, N extends keyof M>(
  load: () => Promise<M>,
  name: N,
  fallback: ReactNode = null,
  Frame: ComponentType<{ children: ReactNode }> = Fragment,
): ((props: PropsOf<M[N]>) => ReactElement) & { preload: () => Promise<void> } {
  const find = () =>
    load().catch((cause) => {
      throw new PartMissing(String(cause), { cause });
    });
  const begin = () => lazy(async () => ({ default: (await find())[name] as ComponentType<object> }));
  // What React has once failed to load stays failed, so there may be another later.
  let Part = begin();
  const Newest = (props: object) => <Part {...props} />;

  function Missing({ error, reset }: ErrorComponentProps) {
    const isMissing = error instanceof PartMissing;
    const load = async () => {
      await find();
      Part = begin();
      reset();
    };
    useWindowEvent('online', () => {
      if (isMissing) load().catch(nothing);
    });
    if (!isMissing) throw error;
    const retry = () =>
      load().catch(() => {
        // The files of an old release may be gone for good: a fresh page knows the new ones.
        if (navigator.onLine) location.reload();
      });
    return (
      <Frame>
        <Failure error={error} onRetry={() => void retry()} />
      </Frame>
    );
  }

  const Later = (props: PropsOf<M[N]>) => (
    <CatchBoundary getResetKey={() => ''} errorComponent={Missing}>
      <Suspense fallback={fallback}>
        <Newest {...(props as object)} />
      </Suspense>
    </CatchBoundary>
  );
  return Object.assign(Later, { preload: () => find().then(nothing, nothing) });
}

const PageMissing = ({ children }: { children: ReactNode }) => <Page title={partFailure.page}>{children}</Page>;

/** A page whose code comes when somebody is about to go there. Where it cannot be had, there is a heading all the same. */
export const laterPage = <M, N extends keyof M>(load: () => Promise<M>, name: N) =>
  later(load, name, null, PageMissing);

const nothing = () => undefined;
