import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fold } from '../../../shared/domain/fold.ts';
import { common } from '../strings/common.ts';
import { Picker } from '../ui/picker.tsx';
import { assistantsNamedQuery } from './queries.ts';

interface Named {
  id: string;
  name: string;
}

interface Props {
  label: string;
  /** Further ones to offer, such as those that are deleted. */
  others?: readonly Named[];
  /** The ids of those that are not offered. */
  without: readonly string[];
  isBusy: boolean;
  onPick: (assistant: Named) => void;
}

/** A field that finds assistants by name, however many there are. */
export function AssistantPicker({ label, others = [], without, isBusy, onPick }: Props) {
  const [typed, setTyped] = useState('');
  const [name] = useDebouncedValue(typed, 250);
  const query = useQuery({ ...assistantsNamedQuery(name), placeholderData: keepPreviousData });
  const found = query.data ?? [];
  const isMeant = (other: Named) =>
    fold(other.name).includes(fold(name.trim())) && !found.some(({ id }) => id === other.id);
  const offered = [
    ...found.map(({ id, name, description }) => ({ id, name, more: description ?? '' })),
    ...(query.isSuccess ? others.filter(isMeant).map((other) => ({ ...other, more: '' })) : []),
  ].filter(({ id }) => !without.includes(id));
  return (
    <Picker
      label={label}
      placeholder={common.findAssistant}
      nothing={query.isFetching ? undefined : common.noAssistant}
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
