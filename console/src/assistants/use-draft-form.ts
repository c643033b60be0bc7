import { type ChangeEvent, useRef, useState } from 'react';
import type { Draft } from './draft.ts';

type TextField = 'name' | 'description' | 'system_instruction' | 'first_message';

/** A draft as its form edits it, with what the service said of its fields. */
export interface DraftForm {
  values: Draft;
  /** As they are now, also between two drawings. */
  getValues(): Draft;
  /** Sets all of it, of which nothing is known to be wrong. */
  setValues(values: Draft): void;
  /** Sets a field, or a setting of it at `path`. Nothing is known to be wrong then with either. */
  setFieldValue<F extends keyof Draft>(field: F, value: Draft[F], path?: string): void;
  /** By path: `name`, `voice.language`. */
  errors: Record<string, string>;
  setErrors(errors: Record<string, string>): void;
  getInputNode(path: string): HTMLElement | null;
  /** What the input of a text takes. */
  getInputProps(field: TextField): object;
}

/** Edits a draft. Mantine's own form compares by a library that stumbles over settings called `valueOf`. */
export function useDraftForm(first: Draft): DraftForm {
  const [values, show] = useState(first);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const latest = useRef(first);

  function keep(next: Draft): void {
    latest.current = next;
    show(next);
  }
  function setFieldValue<F extends keyof Draft>(field: F, value: Draft[F], path: string = field): void {
    keep({ ...latest.current, [field]: value });
    setErrors(({ [path]: _, [field]: __, ...others }) => others);
  }
  return {
    values,
    getValues: () => latest.current,
    setValues: (next) => {
      keep(next);
      setErrors({});
    },
    setFieldValue,
    errors,
    setErrors,
    getInputNode: (path) => document.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"]`),
    getInputProps: (field) => ({
      value: values[field] ?? '',
      onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
        setFieldValue(field, event.currentTarget.value),
      error: errors[field],
      'data-path': field,
    }),
  };
}
