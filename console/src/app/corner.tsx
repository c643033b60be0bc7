import { type ReactNode, useEffect, useState } from 'react';
import { onActs } from './acted.ts';

/**
 * Where it is said that something was done. Its code comes with the first act and, where it cannot be had, with one after
 * that: until then, what there is to say waits.
 */
export function Corner() {
  const [corner, setCorner] = useState<ReactNode>(null);
  useEffect(() => {
    if (corner) return;
    let isAsked = false;
    return onActs(async () => {
      if (isAsked) return;
      isAsked = true;
      try {
        const { Notifications } = await import('../ui/notifications.tsx');
        setCorner(<Notifications position="bottom-right" />);
      } catch {
        isAsked = false;
      }
    });
  }, [corner]);
  return corner;
}
