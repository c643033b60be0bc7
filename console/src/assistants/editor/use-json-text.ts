import { useState } from 'react';
import { formatJson, type ParseResult } from '../draft/json-draft.ts';
import { isSameJson } from '../draft/same-json.ts';

/** A value that is edited as JSON. */
export interface JsonText {
  text: string;
  /** Faults of the text. While there are any, the text is kept as typed, and the value is unchanged. */
  faults: string[];
  type(text: string): void;
  /** Discards the typed text, and shows the value. */
  discard(): void;
}

/**
 * Manages the text of `value`. Shows the text as typed while it matches the value or has a mistake; formats the value
 * again after it changed elsewhere.
 */
export function useJsonText<T>(
  value: T,
  read: (text: string) => ParseResult<T>,
  onChange: (value: T) => void,
): JsonText {
  const [typed, setTyped] = useState<{ text: string; read: ParseResult<T> }>();
  const isTypedCurrent = typed && (typed.read.faults.length > 0 || isSameJson(typed.read.value, value));
  return {
    text: isTypedCurrent ? typed.text : formatJson(value),
    faults: isTypedCurrent ? typed.read.faults : [],
    type(text) {
      const next = read(text);
      setTyped({ text, read: next });
      if (next.value !== undefined) onChange(next.value);
    },
    discard: () => setTyped(undefined),
  };
}
