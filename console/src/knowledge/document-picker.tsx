import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { fold } from '../../../shared/domain/fold.ts';
import { knowledge as text } from '../strings/knowledge.ts';
import { Picker } from '../ui/input/picker.tsx';
import { knowledgeBasesQuery } from './queries.ts';

interface Props {
  /** Ids to leave out. */
  excludedIds: readonly string[];
  isBusy: boolean;
  onPick: (document: { id: string; name: string }) => void;
}

const maxOptions = 20;

/** Field that finds documents by name. The API cannot search them, so all pages are loaded once the user types. */
export function DocumentPicker({ excludedIds, isBusy, onPick }: Props) {
  const [typed, setTyped] = useState('');
  const query = useInfiniteQuery(knowledgeBasesQuery);
  const { hasNextPage, isFetching, isError, fetchNextPage, data } = query;
  const sought = fold(typed.trim());
  // biome-ignore lint/correctness/useExhaustiveDependencies: checks again after each page
  useEffect(() => {
    if (sought !== '' && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [sought, hasNextPage, isFetching, isError, data]);
  const offered = (data?.pages ?? [])
    .flatMap((page) => page.knowledge_bases)
    .filter(({ id, name, file_name }) => !excludedIds.includes(id) && fold(`${name}\n${file_name}`).includes(sought))
    .slice(0, maxOptions);
  return (
    <Picker
      label={text.attachExisting}
      placeholder={text.findDocument}
      emptyText={isFetching ? undefined : text.noDocument}
      options={offered.map(({ id, name, file_name }) => ({ id, name, more: file_name }))}
      typed={typed}
      onType={setTyped}
      isBusy={isBusy || isFetching}
      error={query.error}
      onRetry={query.refetch}
      onPick={(id) => {
        const document = offered.find((one) => one.id === id);
        if (document) onPick({ id, name: document.name });
      }}
    />
  );
}
