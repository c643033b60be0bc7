import { useEffect, useState } from 'react';

// What presses on somebody's behalf, as a screen reader does, may only click; a file may be dragged here from elsewhere.
const acts = ['pointerdown', 'keydown', 'click', 'input', 'dragenter'] as const;

/** Calls `listener` whenever somebody does anything on this page; gives what ends that. */
export function onActs(listener: () => void): () => void {
  const end = new AbortController();
  for (const name of acts) addEventListener(name, listener, { capture: true, passive: true, signal: end.signal });
  return () => end.abort();
}

/** Whether somebody has done anything on this page yet: what only an act can call for need not come before. */
export function useActed(): boolean {
  const [hasActed, setActed] = useState(false);
  useEffect(() => (hasActed ? undefined : onActs(() => setActed(true))), [hasActed]);
  return hasActed;
}
