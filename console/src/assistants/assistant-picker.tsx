import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Assistant } from '../api/types.ts';
import { common } from '../strings/common.ts';
import { Picker } from '../ui/picker.tsx';
import { assistantsNamedQuery } from './queries.ts';

interface Props {
  label: string;
  /** The ids of those that are not offered. */
  without: readonly string[];
  isBusy: boolean;
  onPick: (assistant: Assistant) => void;
}

/** A field that finds assistants by name, however many there are. */
export function AssistantPicker({ label, without, isBusy, onPick }: Props) {
  const [typed, setTyped] = useState('');
  const [name] = useDebouncedValue(typed, 250);
  const query = useQuery({ ...assistantsNamedQuery(name), placeholderData: keepPreviousData });
  const offered = query.data?.filter(({ id }) => !without.includes(id)) ?? [];
  return (
    <Picker
      label={label}
      placeholder={common.findAssistant}
      nothing={query.isFetching ? undefined : common.noAssistant}
      options={offered.map(({ id, name, description }) => ({ id, name, more: description ?? '' }))}
      typed={typed}
      onType={setTyped}
      isBusy={isBusy || query.isFetching}
      error={query.error}
      onRetry={query.refetch}
      onPick={(id) => {
        const assistant = offered.find((one) => one.id === id);
        if (assistant) onPick(assistant);
      }}
    />
  );
}
