import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/**
 * Focuses the page's `data-autofocus` element or its heading, as soon as the heading exists. Returns a function that
 * cancels.
 */
function focusPage(): () => void {
  const heading = () => document.querySelector('h1');
  const autofocused = () => document.querySelector<HTMLElement>('#content [data-autofocus]');
  const observer = new MutationObserver(() => {
    if (heading()) focus();
  });
  const focus = () => {
    observer.disconnect();
    (autofocused() ?? heading())?.focus({ preventScroll: true });
  };
  if (heading()) focus();
  else observer.observe(document.body, { subtree: true, childList: true });
  return () => observer.disconnect();
}

/**
 * Moves the focus to the heading of the new page after a navigation, or to its `data-autofocus` element, so that a
 * screen reader reads it and Tab continues there. Skips the first page, and navigations that only change the search.
 */
export function useFocusOnNavigation(): void {
  const router = useRouter();
  useEffect(() => {
    let cancel = () => {};
    const unsubscribe = router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
      if (!fromLocation || !pathChanged) return;
      cancel();
      cancel = focusPage();
    });
    return () => {
      unsubscribe();
      cancel();
    };
  }, [router]);
}
