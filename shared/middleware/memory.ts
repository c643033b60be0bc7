/** What a process remembers, each for its own time. What was put first goes first where there is more than `most`. */
export class Memory<Value> {
  readonly #most: number;
  readonly #kept = new Map<string, { value: Value; until: number }>();

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): Value | undefined {
    const found = this.#kept.get(key);
    return found && Date.now() < found.until ? found.value : undefined;
  }

  /** `until` as Date.now() counts. */
  put(key: string, value: Value, until: number): void {
    this.#kept.delete(key);
    this.#kept.set(key, { value, until });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > this.#most && oldest !== undefined) this.#kept.delete(oldest);
  }

  delete(key: string): void {
    this.#kept.delete(key);
  }
}
