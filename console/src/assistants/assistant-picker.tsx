import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fold } from '../../../shared/domain/fold.ts';
import { common } from '../strings/common.ts';
import { Picker } from '../ui/input/picker.tsx';
import { assistantSuggestionsQuery } from './queries.ts';

interface Named {
  id: string;
  name: string;
}

interface Props {
  label: string;
  /** More options, such as deleted assistants. */
  others?: readonly Named[];
  /** Ids to leave out. */
  excludedIds: readonly string[];
  isBusy: boolean;
  onPick: (assistant: Named) => void;
}

/** Field that finds assistants by name, among any number. */
export function AssistantPicker({ label, others = [], excludedIds, isBusy, onPick }: Props) {
  const [typed, setTyped] = useState('');
  const [name] = useDebouncedValue(typed, 250);
  const query = useQuery({ ...assistantSuggestionsQuery(name), placeholderData: keepPreviousData });
  const found = query.data ?? [];
  const isMatch = (other: Named) =>
    fold(other.name).includes(fold(name.trim())) && !found.some(({ id }) => id === other.id);
  const offered = [
    ...found.map(({ id, name, description }) => ({ id, name, more: description ?? '' })),
    ...(query.isSuccess ? others.filter(isMatch).map((other) => ({ ...other, more: '' })) : []),
  ].filter(({ id }) => !excludedIds.includes(id));
  return (
    <Picker
      label={label}
      placeholder={common.findAssistant}
      emptyText={query.isFetching ? undefined : common.noAssistant}
      options={offered}
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
