/**
 * Creates a function that gives a body its `Idempotency-Key`. The key stays the same while the body does, so a retry after a lost response
 * has no second effect. The body stays in memory: do not pass one that holds a secret.
 */
export function createIdempotencyKeys(): (body: object) => string {
  let last = { body: '', key: '' };
  return (object) => {
    const body = JSON.stringify(object);
    if (last.body !== body) last = { body, key: crypto.randomUUID() };
    return last.key;
  };
}
