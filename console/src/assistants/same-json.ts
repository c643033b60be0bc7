/**
 * Whether two JSON values are the same, whatever the order of their keys. Vendors' settings may be called `valueOf` or
 * `constructor`, over which the usual libraries stumble.
 */
export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [a, b] = [one, other] as [Record<string, unknown>, Record<string, unknown>];
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  );
}
