import { Box, Button, Group, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Session } from '../api/types.ts';
import { AssistantPicker } from '../assistants/assistant-picker.tsx';
import { assistantQuery } from '../assistants/queries.ts';
import { calls as text } from '../strings/calls.ts';
import { ChosenFilter } from '../ui/input/chosen-filter.tsx';
import { DayField } from '../ui/input/day-field.tsx';
import { useSearchField } from '../ui/input/use-search-field.ts';
import { getAssistantNames } from './assistant-names.ts';
import { type Filter, isFiltered, parseFilter } from './filter.ts';

const route = getRouteApi('/calls');

/**
 * Controls for the filter, which is stored in the URL so that it can be shared. `sessions` are the listed calls: they
 * also name assistants that have been deleted.
 */
export function Filters({ sessions }: { sessions: readonly Session[] }) {
  const filter = route.useSearch();
  const names = getAssistantNames(sessions);
  const navigate = route.useNavigate();
  const change = (changes: Filter) =>
    void navigate({ search: (now) => parseFilter({ ...now, ...changes }), replace: true });
  return (
    <Group component="search" aria-label={text.filters} align="flex-end" gap="sm" mb="lg">
      <Box flex="1 1 13rem" maw={300}>
        {filter.assistant === undefined ? (
          <AssistantPicker
            label={text.assistant}
            others={[...names].map(([id, name]) => ({ id, name }))}
            excludedIds={[]}
            isBusy={false}
            onPick={({ id }) => change({ assistant: id })}
          />
        ) : (
          <ChosenAssistant
            id={filter.assistant}
            lastName={names.get(filter.assistant)}
            onClear={() => change({ assistant: undefined })}
          />
        )}
      </Box>
      {filter.room !== undefined && (
        <Box flex="1 1 10rem" maw={240}>
          <ChosenFilter
            label={text.room}
            name={filter.room}
            title={text.anyRoom}
            onClear={() => change({ room: undefined })}
          />
        </Box>
      )}
      <Box flex="1 1 13rem" maw={300}>
        <FindField typed={filter.find ?? ''} onChange={(find) => change({ find })} />
      </Box>
      <DayField label={text.from} value={filter.from} max={filter.to} onChange={(from) => change({ from })} />
      <DayField label={text.to} value={filter.to} min={filter.from} onChange={(to) => change({ to })} />
      {isFiltered(filter) && (
        <Button variant="subtle" onClick={() => void navigate({ search: {}, replace: true })}>
          {text.clear}
        </Button>
      )}
    </Group>
  );
}

interface ChosenAssistantProps {
  id: string;
  /** Name at the last call, for a deleted assistant. */
  lastName: string | undefined;
  onClear: () => void;
}

function ChosenAssistant({ id, lastName, onClear }: ChosenAssistantProps) {
  const { data } = useQuery(assistantQuery(id));
  const name = data?.assistant.name ?? lastName ?? id;
  return <ChosenFilter label={text.assistant} name={name} title={text.anyAssistant} onClear={onClear} />;
}

function FindField({ typed: found, onChange }: { typed: string; onChange: (find: string) => void }) {
  const [typed, type] = useSearchField(found, onChange);
  return (
    <TextInput
      type="search"
      label={text.findCalls}
      placeholder={text.findCallsHint}
      maxLength={256}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}
