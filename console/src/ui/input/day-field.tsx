import { TextInput } from '@mantine/core';
import { isDay } from './day.ts';
import { useSearchField } from './use-search-field.ts';

interface DayProps {
  label: string;
  value: string | undefined;
  min?: string | undefined;
  max?: string | undefined;
  onChange: (day: string) => void;
}

/**
 * The browser's own date field, with its calendar and keyboard support. Typing the year 2026 passes through 2, 20 and
 * 202, which are not sent.
 */
export function DayField({ label, value = '', min, max, onChange }: DayProps) {
  const [typed, type] = useSearchField(value, (day) => {
    if (day === '' || isDay(day)) onChange(day);
  });
  return (
    <TextInput
      type="date"
      label={label}
      value={typed}
      min={min}
      max={max}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={() => {
        if (typed !== '' && !isDay(typed)) type(value);
      }}
    />
  );
}
