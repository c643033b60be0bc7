import { Box, Button, Group, NativeSelect } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { activity as text } from '../strings/activity.ts';
import { ChosenFilter } from '../ui/input/chosen-filter.tsx';
import { DayField } from '../ui/input/day-field.tsx';
import { type Filter, isFiltered, parseFilter, type Subject, subjects } from './filter.ts';

const route = getRouteApi('/activity');

/** Controls for the filter, which is stored in the URL so that it can be shared. */
export function Filters() {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const change = (changes: Filter) =>
    void navigate({ search: (now) => parseFilter({ ...now, ...changes }), replace: true });
  return (
    <Group component="search" aria-label={text.filters} align="flex-end" gap="sm" mb="lg">
      <NativeSelect
        label={text.about}
        value={filter.about ?? ''}
        onChange={({ currentTarget }) => change({ about: (currentTarget.value || undefined) as Subject | undefined })}
        data={[
          { value: '', label: text.anything },
          ...subjects.map((value) => ({ value, label: text.subjects[value] })),
        ]}
      />
      {filter.subject !== undefined && (
        <Box flex="1 1 10rem" maw={240}>
          <ChosenFilter
            label={text.subject}
            name={filter.subject}
            title={text.anySubject}
            onClear={() => change({ subject: undefined })}
          />
        </Box>
      )}
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
