import { PlusIcon, XMarkIcon } from '@heroicons/react/24/outline';
import { ActionIcon, Button, Group, Input, Stack, Text, TextInput } from '@mantine/core';
import { Fragment, useRef } from 'react';
import { vendorSettings } from '../../../../../shared/openapi/vendors.ts';
import { assistants as text } from '../../../strings/assistants.ts';
import type { Part } from '../../draft/draft.ts';
import { getKind, type SettingRow } from '../../draft/setting-rows.ts';
import type { EditedDraft } from '../use-draft.ts';
import { DidYouMean } from './did-you-mean.tsx';
import classes from './form.module.css';

interface Props {
  draft: EditedDraft;
  part: Part;
}

const known: Partial<Record<Part, readonly string[]>> = vendorSettings;

/** Rows with a vendor's own settings. */
export function VendorSettings({ draft: { form, vendors }, part }: Props) {
  const added = useRef(-1);
  const rows = vendors.get(part);
  const unused = (known[part] ?? []).filter((name) => rows.every(({ key }) => key !== name));
  const edit = (row: SettingRow, edited: Partial<SettingRow>) =>
    vendors.change(
      part,
      rows.map((one) => (one === row ? { ...row, ...edited } : one)),
      row.key,
    );
  const add = () => {
    added.current = rows.length;
    vendors.change(part, [...rows, { key: '', text: '' }], '');
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
        // biome-ignore lint/suspicious/noArrayIndexKey: all else of a row changes while the user types
        <Fragment key={index}>
          <Group gap="xs" wrap="nowrap" align="flex-start">
            <TextInput
              ref={focusAdded(index)}
              className={classes.vendorName ?? ''}
              aria-label={text.vendorName(index + 1)}
              value={row.key}
              onChange={(event) => edit(row, { key: event.currentTarget.value })}
              error={row.fault && row.fault !== 'null' && text.vendorFault[row.fault]}
              spellCheck={false}
            />
            <TextInput
              className={classes.vendorValue ?? ''}
              aria-label={text.vendorValue(index + 1)}
              value={row.text}
              onChange={(event) => edit(row, { text: event.currentTarget.value })}
              error={row.fault === 'null' ? text.vendorFault.null : form.errors[`${part}.${row.key}`]}
              data-path={`${part}.${row.key}`}
              rightSection={
                <Text size="xs" c="dimmed">
                  {text.kind[getKind(row.text)]}
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
              onClick={() => vendors.change(part, rows.toSpliced(index, 1), row.key)}
            >
              <XMarkIcon width={18} aria-hidden />
            </ActionIcon>
          </Group>
          <DidYouMean typed={row.key} names={unused} onAccept={(key) => edit(row, { key })} />
        </Fragment>
      ))}
      {form.errors[part] && <Input.Error>{form.errors[part]}</Input.Error>}
      <Group>
        <Button variant="subtle" size="compact-sm" leftSection={<PlusIcon width={14} aria-hidden />} onClick={add}>
          {text.vendorAdd}
        </Button>
      </Group>
    </Stack>
  );
}
