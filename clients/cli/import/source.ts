import { hideKeys, hideKeysInside } from './secrets.ts';

/**
 * Something that an import lost, changed or left out, with its place in the source document. Holds no value of the document, which
 * may be secret.
 */
export interface Warning {
  path: string;
  /** `secret`: a key that was left out. `unneeded`: an id, a time or another field that its vendor sets. */
  kind: 'lost' | 'changed' | 'secret' | 'unneeded';
  reason: string;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** True if a value holds nothing that could be lost. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0);

/** Names that objects and schemas treat specially, and that none of them keeps. */
export const isReservedName = (name: string): boolean => ['__proto__', 'constructor', 'prototype'].includes(name);

const maxDepth = 32;

const describe = (value: unknown): string =>
  Array.isArray(value) ? 'a list' : isRecord(value) ? 'an object' : typeof value;

function joinPath(parent: string, key: string | number): string {
  if (typeof key === 'number') return `${parent}[${key}]`;
  if (/^[\w$-]{1,100}$/.test(key)) return parent ? `${parent}.${key}` : key;
  const shown = key.length > 100 ? `${key.slice(0, 100)}…` : key;
  return `${parent}[${JSON.stringify(shown.toWellFormed())}]`;
}

/** Copies JSON without reserved names. Undefined if it is nested too deep. */
function copyJson(value: unknown, depth = 0): unknown {
  if (depth > maxDepth) return undefined;
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((one) => copyJson(one, depth + 1));
    return items.includes(undefined) ? undefined : items;
  }
  const entries = Object.entries(value).map(([key, one]) => [key.toWellFormed(), copyJson(one, depth + 1)] as const);
  return entries.some(([, one]) => one === undefined) ? undefined : Object.fromEntries(entries);
}

/** True if any object in a value has a reserved name. */
function hasReservedNames(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasReservedNames);
  return isRecord(value) && Object.entries(value).some(([key, one]) => isReservedName(key) || hasReservedNames(one));
}

/**
 * A field of a document that knows whether it was read. `listUnread` adds a warning for each that was not, so that no field gets lost
 * silently. Reading a field of the wrong type gives undefined and a warning, never an error.
 */
export class Field {
  readonly path: string;
  readonly value: unknown;
  readonly #warnings: Warning[];
  readonly #children = new Map<string | number, Field>();
  readonly #warned = new Set<string>();
  #isOpen = false;
  #isDone = false;

  private constructor(value: unknown, path: string, warnings: Warning[]) {
    this.value = value;
    this.path = path;
    this.#warnings = warnings;
  }

  /** Starts to read a document. Warnings go into the list. */
  static open(document: unknown, warnings: Warning[], path = ''): Field {
    return new Field(document, path, warnings);
  }

  get isEmpty(): boolean {
    return isEmpty(this.value);
  }

  /** Returns this field as the root of another document, with other warnings. */
  detach(warnings: Warning[]): Field {
    this.#isDone = true;
    return Field.open(this.value, warnings);
  }

  /** Returns the field inside this one, which is empty if the document has none. */
  get(...keys: string[]): Field {
    return keys.reduce((field: Field, key) => field.#child(key), this);
  }

  #child(key: string | number): Field {
    this.#isOpen = true;
    const known = this.#children.get(key);
    if (known) return known;
    const { value } = this;
    const has = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
    const child = new Field(
      has ? (value as Record<string | number, unknown>)[key] : undefined,
      joinPath(this.path, key),
      this.#warnings,
    );
    this.#children.set(key, child);
    return child;
  }

  /** Returns the fields of a list. */
  items(): Field[] {
    if (!Array.isArray(this.value)) return this.#refuse('a list') ?? [];
    this.#isOpen = true;
    return this.value.map((_, i) => this.#child(i));
  }

  /** Returns the named fields of an object. */
  entries(): [name: string, field: Field][] {
    if (!isRecord(this.value)) return this.#refuse('an object') ?? [];
    this.#isOpen = true;
    const names = Object.keys(this.value);
    for (const name of names.filter(isReservedName)) this.#child(name).lose('Nothing can have this name');
    return names.filter((name) => !isReservedName(name)).map((name) => [name, this.#child(name)]);
  }

  /** Reads a text. Each key in it becomes `****`. */
  text(): string | undefined {
    if (typeof this.value !== 'string') return this.#refuse('text');
    this.#isDone = true;
    return this.#withoutKeys(this.value.toWellFormed(), hideKeys);
  }

  #withoutKeys<T>(value: T, hide: (value: T) => T): T {
    const hidden = hide(value);
    if (JSON.stringify(hidden) !== JSON.stringify(value))
      this.withhold('A key in it is replaced by ****: save it as a credential');
    return hidden;
  }

  number(): number | undefined {
    if (typeof this.value !== 'number' || !Number.isFinite(this.value)) return this.#refuse('a number');
    this.#isDone = true;
    return this.value;
  }

  boolean(): boolean | undefined {
    if (typeof this.value !== 'boolean') return this.#refuse('true or false');
    this.#isDone = true;
    return this.value;
  }

  /** Reads a text, a number, or true or false. */
  scalar(): string | number | boolean | undefined {
    if (typeof this.value === 'number') return this.number();
    return typeof this.value === 'boolean' ? this.boolean() : this.text();
  }

  /** Reads a text that is one of a few words. */
  choice<const T extends string>(...words: T[]): T | undefined {
    const word = words.find((one) => one === this.value);
    if (word === undefined) return this.#refuse(`one of ${words.join(', ')}`);
    this.#isDone = true;
    return word;
  }

  /** Reads an object with all that it holds. Each key in its texts becomes `****`. */
  json(): Record<string, unknown> | undefined {
    if (!isRecord(this.value)) return this.#refuse('an object');
    const copy = copyJson(this.value);
    if (isRecord(copy) && !hasReservedNames(copy)) {
      this.#isDone = true;
      return this.#withoutKeys(copy, (one) => hideKeysInside(one) as Record<string, unknown>);
    }
    this.lose(copy ? 'Nothing in it can be named __proto__, constructor or prototype' : 'It is nested too deep');
    return undefined;
  }

  #refuse(expected: string): undefined {
    if (!this.#isDone) this.lose(`It should be ${expected}, and is ${describe(this.value)}`);
    return undefined;
  }

  /** Warns that this field, with all that it holds, was not imported. */
  lose(reason: string): void {
    this.#warn('lost', reason);
  }

  /** Warns that this field was imported as something else. What an object or a list holds still has to be read. */
  change(reason: string): void {
    this.#warn('changed', reason);
  }

  /** Warns that this field holds a key, which was left out. */
  withhold(reason: string): void {
    this.#warn('secret', reason);
  }

  /** Notes that this field is set by its vendor, as ids and times are. */
  skip(): void {
    this.#warn('unneeded', 'Set by the vendor, not by you');
  }

  #warn(kind: Warning['kind'], reason: string): void {
    if (kind !== 'changed' || typeof this.value !== 'object') this.#isDone = true;
    const known = `${kind} ${reason}`;
    if (this.isEmpty || this.#warned.has(known)) return;
    this.#warned.add(known);
    this.#warnings.push({ path: this.path, kind, reason });
  }

  /** Warns of everything that nothing has read. Names an object or a list once if nothing in it was read. */
  listUnread(): void {
    if (this.#isDone || this.isEmpty) return;
    const isContainer = typeof this.value === 'object';
    if (!isContainer || !this.#isOpen) {
      this.lose(
        this.#isOpen ? `It should be an object, and is ${describe(this.value)}` : 'Assistants have nothing like it',
      );
      return;
    }
    const keys = Array.isArray(this.value) ? this.value.keys() : Object.keys(this.value as object);
    for (const key of keys) this.#child(key).listUnread();
  }
}
