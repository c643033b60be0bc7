import { useEffect, useState } from 'react';

// What presses on somebody's behalf, as a screen reader does, may only click; a file may be dragged here from elsewhere.
const acts = ['pointerdown', 'keydown', 'click', 'input', 'dragenter'] as const;

/** Whether somebody has done anything on this page yet: what only an act can call for need not come before. */
export function useActed(): boolean {
  const [hasActed, setActed] = useState(false);
  useEffect(() => {
    const first = new AbortController();
    const act = () => {
      setActed(true);
      first.abort();
    };
    for (const name of acts) addEventListener(name, act, { capture: true, passive: true, signal: first.signal });
    return () => first.abort();
  }, []);
  return hasActed;
}
