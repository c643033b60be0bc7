import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';

/** Delay after the last keystroke, in milliseconds. */
const debounceMs = 300;

/**
 * Returns the text of a field that is kept in the URL, and its setter. Calls `send` shortly after the last keystroke.
 * If the URL changes otherwise, for example by going back, the field follows.
 */
export function useSearchField(value: string, send: (typed: string) => void): [string, (typed: string) => void] {
  const [typed, setTyped] = useState(value);
  const sent = useRef(value);
  const sendDebounced = useDebouncedCallback((next: string) => {
    sent.current = next;
    send(next);
  }, debounceMs);
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    sendDebounced.cancel();
    setTyped(value);
  }, [value, sendDebounced]);
  const change = (next: string) => {
    setTyped(next);
    sendDebounced(next);
  };
  return [typed, change];
}
