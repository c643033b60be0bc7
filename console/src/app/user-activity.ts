import { useEffect, useState } from 'react';

// Assistive technology may only click on a user's behalf, and a file may be dragged in from another window.
const activityEvents = ['pointerdown', 'keydown', 'click', 'input', 'dragenter'] as const;

/** Calls `listener` on every user interaction. Returns a function that stops it. */
export function onUserActivity(listener: () => void): () => void {
  const controller = new AbortController();
  for (const name of activityEvents)
    addEventListener(name, listener, { capture: true, passive: true, signal: controller.signal });
  return () => controller.abort();
}

/** True after the first user interaction. Defers code that only an interaction needs. */
export function useHasInteracted(): boolean {
  const [hasInteracted, setInteracted] = useState(false);
  useEffect(() => (hasInteracted ? undefined : onUserActivity(() => setInteracted(true))), [hasInteracted]);
  return hasInteracted;
}
