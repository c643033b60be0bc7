import { Stack, TextInput } from '@mantine/core';
import type { RefObject } from 'react';
import type { Assistant } from '../../api/types.ts';
import { trial as text } from '../../strings/try.ts';
import classes from './try.module.css';

interface Props {
  ref: RefObject<HTMLDetailsElement | null>;
  variables: NonNullable<Assistant['variables']>;
  values: Record<string, string>;
  onChange: (values: Record<string, string>) => void;
  /** What the API refused, by name. */
  faults: Record<string, string>;
}

/** Values of an assistant's variables. Expanded at first if one of them is required. */
export function VariableFields({ ref, variables, values, onChange, faults }: Props) {
  const fields = Object.entries(variables);
  return (
    <details ref={ref} className={classes.variables} open={fields.some(([, { required }]) => required)}>
      <summary>{text.variables}</summary>
      <Stack gap="xs" mt="xs" p={2}>
        {fields.map(([name, { default: usual, description, required }]) => (
          <TextInput
            key={name}
            size="xs"
            label={name}
            description={description}
            placeholder={usual ?? ''}
            required={required ?? false}
            value={values[name] ?? ''}
            onChange={({ currentTarget }) => onChange({ ...values, [name]: currentTarget.value })}
            error={!values[name] && faults[name]}
            dir="auto"
            autoComplete="off"
          />
        ))}
      </Stack>
    </details>
  );
}
