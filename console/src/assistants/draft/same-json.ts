/**
 * True if two JSON values are equal, in any order of keys. Settings of vendors may be named `valueOf` or `constructor`,
 * which common libraries do not handle.
 */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [a, b] = [one, other] as [Record<string, unknown>, Record<string, unknown>];
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSameJson(a[key], b[key]))
  );
}
