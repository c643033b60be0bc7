import { PlusIcon, XMarkIcon } from '@heroicons/react/24/outline';
import { ActionIcon, Button, Group, Input, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { assistants as text } from '../../strings/assistants.ts';
import { sameJson } from '../same-json.ts';
import { isTaken, kindOf, rowsOf, type SettingRow, settingsOf } from '../setting-rows.ts';
import classes from './form.module.css';

interface Props {
  /** All settings of a part. */
  settings: Record<string, unknown>;
  /** Those that have a field of their own. */
  known: string[];
  /** Gets the rows that stand for a setting. */
  onChange: (rows: SettingRow[]) => void;
  error: ReactNode;
}

/** A vendor's own settings, a row each. */
export function VendorSettings({ settings, known, onChange, error }: Props) {
  const [typed, setTyped] = useState<SettingRow[]>([]);
  const added = useRef(-1);
  const settled = (rows: SettingRow[]) => rows.filter((_, index) => !isTaken(rows, index, known));
  // What was typed stands, half-written rows too, until the settings are changed elsewhere.
  const written = rowsOf(settings, known);
  const rows = sameJson(settingsOf(settled(typed)), settingsOf(written)) ? typed : written;

  const change = (next: SettingRow[]) => {
    setTyped(next);
    onChange(settled(next));
  };
  const edit = (index: number, edited: Partial<SettingRow>) =>
    change(rows.map((row, at) => (at === index ? { ...row, ...edited } : row)));
  const add = () => {
    added.current = rows.length;
    setTyped([...rows, { key: '', text: '' }]);
  };
  const focusAdded = (index: number) => (input: HTMLInputElement | null) => {
    if (!input || added.current !== index) return;
    added.current = -1;
    input.focus();
  };

  return (
    <Stack gap="xs" role="group" aria-label={text.vendor}>
      {rows.length > 0 && (
        <div>
          <Text size="sm" fw={500}>
            {text.vendor}
          </Text>
          <Text size="xs" c="dimmed">
            {text.vendorHint}
          </Text>
        </div>
      )}
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row has nothing else that stays while it is typed
        <Group key={index} gap="xs" wrap="nowrap" align="flex-start">
          <TextInput
            ref={focusAdded(index)}
            className={classes.vendorName ?? ''}
            aria-label={text.vendorName(index + 1)}
            value={row.key}
            onChange={(event) => edit(index, { key: event.currentTarget.value })}
            error={isTaken(rows, index, known) && text.vendorTaken}
            spellCheck={false}
          />
          <TextInput
            className={classes.vendorValue ?? ''}
            aria-label={text.vendorValue(index + 1)}
            value={row.text}
            onChange={(event) => edit(index, { text: event.currentTarget.value })}
            rightSection={
              <Text size="xs" c="dimmed">
                {text.kind[kindOf(row.text)]}
              </Text>
            }
            rightSectionWidth={72}
            spellCheck={false}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="input-sm"
            aria-label={text.vendorRemove(row.key)}
            onClick={() => change(rows.toSpliced(index, 1))}
          >
            <XMarkIcon width={18} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      {error && <Input.Error>{error}</Input.Error>}
      <Group>
        <Button variant="subtle" size="compact-sm" leftSection={<PlusIcon width={14} aria-hidden />} onClick={add}>
          {text.vendorAdd}
        </Button>
      </Group>
    </Stack>
  );
}
