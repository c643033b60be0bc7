import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/**
 * After a navigation, moves the focus to the new page's heading, so that a screen reader reads it and Tab goes on from
 * there. Not on the first page, nor where only the search changed.
 */
export function useFocusOnNavigation(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation && pathChanged) document.querySelector('h1')?.focus({ preventScroll: true });
      }),
    [router],
  );
}
