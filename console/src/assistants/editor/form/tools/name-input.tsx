import { TextInput } from '@mantine/core';
import { type KeyboardEvent, useRef, useState } from 'react';
import { tools as text } from '../../../../strings/tools.ts';
import { findRowNameFault } from '../../../draft/tools.ts';

interface Props {
  label: string;
  placeholder: string;
  value: string;
  /** Names of the other rows. */
  taken: readonly string[];
  onChange: (name: string) => void;
  width: number;
}

/**
 * Field for the name of a row in an object. Holds a name that no row may have, such as another row's, while it is typed.
 * Leaving the field then restores the name from before.
 */
export function NameInput({ label, placeholder, value, taken, onChange, width }: Props) {
  const [held, hold] = useState<string>();
  const before = useRef(value);
  const fault = held === undefined ? undefined : findRowNameFault(held, taken);
  const type = (name: string) => {
    const isFree = findRowNameFault(name, taken) === undefined;
    hold(isFree ? undefined : name);
    if (isFree) onChange(name);
  };
  const leave = () => {
    if (held === undefined) before.current = value;
    else if (before.current !== value && findRowNameFault(before.current, taken) === undefined)
      onChange(before.current);
    hold(undefined);
  };
  const keepForm = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && held !== undefined) event.preventDefault(); // submits another name than it shows
  };
  return (
    <TextInput
      aria-label={label}
      placeholder={placeholder}
      value={held ?? value}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onFocus={() => {
        before.current = value;
      }}
      onBlur={leave}
      onKeyDown={keepForm}
      error={fault && text.rowName[fault]}
      autoComplete="off"
      spellCheck={false}
      w={width}
    />
  );
}
