import { type UIEvent, useLayoutEffect, useRef } from 'react';

/** Distance from the end of a conversation within which it follows what is said, in pixels. */
const followPx = 48;

/** Keeps the end of a conversation in view as it grows, unless the user has scrolled up. */
export function useFollowEnd(said: unknown) {
  const list = useRef<HTMLElement>(null);
  const isFollowing = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows each piece of what is said
  useLayoutEffect(() => {
    if (isFollowing.current) list.current?.scrollTo(0, list.current.scrollHeight);
  }, [said]);
  return {
    list,
    onScroll: ({ currentTarget: { scrollHeight, scrollTop, clientHeight } }: UIEvent) => {
      isFollowing.current = scrollHeight - scrollTop - clientHeight < followPx;
    },
    /** Returns to the end. */
    follow: () => {
      isFollowing.current = true;
    },
  };
}
