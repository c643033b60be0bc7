import { Button, Group, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { knowledge as text } from '../strings/knowledge.ts';
import { later } from '../ui/later.tsx';
import { searchQuery } from './queries.ts';

// With the words that it marks, larger than all around it: it comes with the first question.
const SearchResults = later(() => import('./search-results.tsx'), 'SearchResults');

interface Props {
  assistantId: string;
  /** The document to point out among those that passages are of. */
  own?: string;
  /** Before the question, such as a choice of the assistant. */
  children?: ReactNode;
}

/** Asks as an assistant's worker does in a call, and shows what it is given. */
export function Search({ assistantId, own, children }: Props) {
  const cache = useQueryClient();
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState<{ assistantId: string; query: string }>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const query = typed.trim();
    if (query === '') return;
    setAsked({ assistantId, query });
    // Asked before, it may be answered otherwise by now.
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
      {asked && <SearchResults {...asked} own={own} />}
    </>
  );
}
