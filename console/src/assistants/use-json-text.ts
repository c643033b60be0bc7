import { useState } from 'react';
import { jsonOf, type Read } from './json-draft.ts';
import { sameJson } from './same-json.ts';

/** A value, edited as text. */
export interface JsonText {
  text: string;
  /** Why the text cannot be read. Then it stays as it was typed, and the value as it was before. */
  faults: string[];
  type(text: string): void;
  /** Goes back to what the value is. */
  discard(): void;
}

/**
 * The text of `value`. As long as what was typed stands for the value, it is shown as it was typed; else the value is
 * written anew, as after a change elsewhere.
 */
export function useJsonText<T>(value: T, read: (text: string) => Read<T>, onChange: (value: T) => void): JsonText {
  const [typed, setTyped] = useState<{ text: string; read: Read<T> }>();
  const stands = typed && (typed.read.faults.length > 0 || sameJson(typed.read.value, value));
  return {
    text: stands ? typed.text : jsonOf(value),
    faults: stands ? typed.read.faults : [],
    type(text) {
      const next = read(text);
      setTyped({ text, read: next });
      if (next.value !== undefined) onChange(next.value);
    },
    discard: () => setTyped(undefined),
  };
}
