import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';

/** Milliseconds after the last key. */
const pause = 300;

/**
 * What is typed into a field whose value stands in the address, and what takes it; `send` is given it a moment after the
 * last key. Where the address changes otherwise, such as by going back, the field follows.
 */
export function useSearchField(value: string, send: (typed: string) => void): [string, (typed: string) => void] {
  const [typed, setTyped] = useState(value);
  const sent = useRef(value);
  const sendLater = useDebouncedCallback((next: string) => {
    sent.current = next;
    send(next);
  }, pause);
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    sendLater.cancel();
    setTyped(value);
  }, [value, sendLater]);
  const type = (next: string) => {
    setTyped(next);
    sendLater(next);
  };
  return [typed, type];
}
