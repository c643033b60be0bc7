import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/**
 * Focuses the page's heading as soon as there is one, or what the page marks by `data-autofocus`. Returns what gives that up.
 */
function focusPage(): () => void {
  const heading = () => document.querySelector('h1');
  const marked = () => document.querySelector<HTMLElement>('#content [data-autofocus]');
  const observer = new MutationObserver(() => {
    if (heading()) take();
  });
  const take = () => {
    observer.disconnect();
    (marked() ?? heading())?.focus({ preventScroll: true });
  };
  if (heading()) take();
  else observer.observe(document.body, { subtree: true, childList: true });
  return () => observer.disconnect();
}

/**
 * After a navigation, moves the focus to the new page's heading, so that a screen reader reads it and Tab goes on from
 * there, or to the field that the page begins with. Not on the first page, nor where only the search changed.
 */
export function useFocusOnNavigation(): void {
  const router = useRouter();
  useEffect(() => {
    let giveUp = () => {};
    const unsubscribe = router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
      if (!fromLocation || !pathChanged) return;
      giveUp();
      giveUp = focusPage();
    });
    return () => {
      unsubscribe();
      giveUp();
    };
  }, [router]);
}
