import { useRef } from 'react';

/**
 * Gives the `Idempotency-Key` of a body: the same one as long as the same body is sent, so that sending it again after an
 * answer that was lost does nothing twice. It keeps the body: not for one with a secret in it.
 */
export function useIdempotencyKey(): (body: object) => string {
  const last = useRef({ body: '', key: '' });
  return (object) => {
    const body = JSON.stringify(object);
    if (last.current.body !== body) last.current = { body, key: crypto.randomUUID() };
    return last.current.key;
  };
}
