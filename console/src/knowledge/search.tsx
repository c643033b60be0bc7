import { Button, Group, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { knowledge as text } from '../strings/knowledge.ts';
import { lazyComponent } from '../ui/loading/lazy.tsx';
import { searchQuery } from './queries.ts';

// Lazy, because the word lists for highlighting are larger than the rest of the page.
const SearchResults = lazyComponent(() => import('./search-results.tsx'), 'SearchResults');

interface Props {
  /** Assistant whose documents are searched. Without it, the newest documents are. */
  assistantId?: string;
  /** Id of the document to highlight in the results. */
  ownId?: string;
  /** Shown before the question, such as a choice of assistant. */
  children?: ReactNode;
}

/** Searches documents, those of an assistant as its worker does in a call, and shows the results. */
export function Search({ assistantId, ownId, children }: Props) {
  const cache = useQueryClient();
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState<{ assistantId: string | undefined; query: string }>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const query = typed.trim();
    if (query === '') return;
    setAsked({ assistantId, query });
    // Results of an earlier search may be outdated.
    void cache.invalidateQueries(searchQuery(assistantId, query));
  };
  return (
    <>
      <form onSubmit={submit}>
        <Group align="flex-end" gap="sm">
          {children}
          <TextInput
            label={text.query}
            placeholder={text.queryExample}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            maxLength={2000}
            flex="1 1 14rem"
          />
          <Button type="submit" disabled={typed.trim() === ''}>
            {text.go}
          </Button>
        </Group>
      </form>
      {asked && <SearchResults {...asked} ownId={ownId} />}
    </>
  );
}
