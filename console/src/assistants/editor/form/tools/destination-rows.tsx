import { TrashIcon } from '@heroicons/react/24/outline';
import { ActionIcon, Button, Fieldset, Group, Stack, TextInput } from '@mantine/core';
import { tools as text } from '../../../../strings/tools.ts';
import type { Tool } from '../../../draft/tools.ts';

type Destination = Extract<Tool, { type: 'transfer' }>['destinations'][number];

interface Props {
  value: readonly Destination[];
  onChange: (destinations: Destination[]) => void;
}

/** Rows for the destinations of a transfer. */
export function DestinationRows({ value, onChange }: Props) {
  const replace = (index: number, ...inserted: Destination[]) => onChange(value.toSpliced(index, 1, ...inserted));
  return (
    <Fieldset legend={text.destinations}>
      <Stack gap="xs">
        {value.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their order
          <Group key={index} gap="xs">
            {(['to', 'when'] as const).map((field) => (
              <TextInput
                key={field}
                aria-label={text.destinationRow(text.destination[field], index + 1)}
                placeholder={field === 'to' ? 'tel:+4930123456' : text.destination.when}
                value={row[field]}
                onChange={({ currentTarget }) => replace(index, { ...row, [field]: currentTarget.value })}
                autoComplete="off"
                flex={field === 'to' ? undefined : 1}
                miw={140}
              />
            ))}
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={text.removeDestination(index + 1)}
              onClick={() => replace(index)}
            >
              <TrashIcon width={18} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        <Button variant="default" size="xs" w="fit-content" onClick={() => replace(value.length, { to: '', when: '' })}>
          {text.addDestination}
        </Button>
      </Stack>
    </Fieldset>
  );
}
