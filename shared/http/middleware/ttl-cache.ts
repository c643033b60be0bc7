/** Cache with an expiry time for each entry. Drops the oldest entry when it holds more than `maxEntries`. */
export class TtlCache<Value> {
  readonly #maxEntries: number;
  readonly #entries = new Map<string, { value: Value; expiresAtMs: number }>();

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    return entry && Date.now() < entry.expiresAtMs ? entry.value : undefined;
  }

  set(key: string, value: Value, expiresAtMs: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, expiresAtMs });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#maxEntries && oldest !== undefined) this.#entries.delete(oldest);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
