import { type ChangeEvent, useRef, useState } from 'react';
import type { Draft } from '../draft/draft.ts';

type TextField = 'name' | 'description' | 'system_instruction' | 'first_message';

/** Form state of a draft, with the API's faults. */
export interface DraftForm {
  values: Draft;
  /** Returns the latest values, even before the next render. */
  getValues(): Draft;
  /** Replaces all values, and clears all errors. */
  setValues(values: Draft): void;
  /** Sets a field and clears its errors. For one setting of a part, `path` names the setting. */
  setFieldValue<F extends keyof Draft>(field: F, value: Draft[F], path?: string): void;
  /** Messages by path: `name`, `voice.language`. */
  errors: Record<string, string>;
  setErrors(errors: Record<string, string>): void;
  getInputNode(path: string): HTMLElement | null;
  /** Returns the props of a text field's input. */
  getInputProps(field: TextField): object;
}

/**
 * Manages the form state of a draft. Mantine's form compares values with a library that fails on settings named
 * `valueOf`.
 */
export function useDraftForm(first: Draft): DraftForm {
  const [values, setValues] = useState(first);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const latest = useRef(first);

  function update(next: Draft): void {
    latest.current = next;
    setValues(next);
  }
  function setFieldValue<F extends keyof Draft>(field: F, value: Draft[F], path: string = field): void {
    update({ ...latest.current, [field]: value });
    setErrors(({ [path]: _, [field]: __, ...others }) => others);
  }
  return {
    values,
    getValues: () => latest.current,
    setValues: (next) => {
      update(next);
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
