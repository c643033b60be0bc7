import { useRef } from 'react';

/**
 * Returns a function that gives a body its `Idempotency-Key`. The key stays the same while the body does, so a retry
 * after a lost response has no second effect. The body stays in memory: do not pass one that holds a secret.
 */
export function useIdempotencyKey(): (body: object) => string {
  const last = useRef({ body: '', key: '' });
  return (object) => {
    const body = JSON.stringify(object);
    if (last.current.body !== body) last.current = { body, key: crypto.randomUUID() };
    return last.current.key;
  };
}
