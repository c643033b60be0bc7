import { Badge, Button, Group, Paper, Stack, Text, TextInput, Tooltip } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { FoundPassage } from '../api/types.ts';
import { knowledge as text } from '../strings/knowledge.ts';
import { Answer } from '../ui/answer.tsx';
import { Pieces } from '../ui/pieces.tsx';
import { highlight } from './highlight.ts';
import { searchQuery } from './queries.ts';
import classes from './search.module.css';

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
      {asked && <Results {...asked} own={own} />}
    </>
  );
}

interface ResultsProps {
  assistantId: string;
  query: string;
  own: string | undefined;
}

function Results({ assistantId, query, own }: ResultsProps) {
  const found = useQuery(searchQuery(assistantId, query));
  return (
    <Answer query={found}>
      {(passages) => (
        <Stack gap="sm">
          <Text size="sm" c="dimmed" role="status">
            {passages.length > 0 ? text.results(passages.length) : text.nothingFound}
          </Text>
          {passages.map((passage, index) => (
            <Passage
              // biome-ignore lint/suspicious/noArrayIndexKey: passages have no ids, and an answer does not change
              key={index}
              passage={passage}
              query={query}
              isOwn={passage.knowledge_base_id === own}
            />
          ))}
        </Stack>
      )}
    </Answer>
  );
}

function Passage({ passage, query, isOwn }: { passage: FoundPassage; query: string; isOwn: boolean }) {
  const { file_name, page, score } = passage;
  return (
    <Paper component="article" p="md">
      <Group gap="xs" mb="xs">
        <Text size="xs" fw={600} className={classes.text}>
          {file_name}
        </Text>
        {page !== null && <Text size="xs">{text.page(page)}</Text>}
        {isOwn && <Badge size="sm">{text.thisOne}</Badge>}
        <Tooltip label={text.scoreHint}>
          <Text size="xs" c="dimmed" ml="auto">
            {text.score(score.toFixed(1))}
          </Text>
        </Tooltip>
      </Group>
      <Text size="sm" className={classes.text}>
        <Pieces pieces={highlight(passage.text, query)} />
      </Text>
    </Paper>
  );
}
