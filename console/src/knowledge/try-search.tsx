import { Badge, Button, Group, Paper, Select, Stack, Text, TextInput, Tooltip } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { FoundPassage, KnowledgeBase } from '../api/types.ts';
import { assistantQuery } from '../assistants/queries.ts';
import { knowledge as text } from '../strings/knowledge.ts';
import { Answer } from '../ui/answer.tsx';
import { Pieces } from '../ui/pieces.tsx';
import { Section } from '../ui/section.tsx';
import { highlight } from './highlight.ts';
import { searchQuery } from './queries.ts';
import classes from './search.module.css';

/** As many as are shown of those that use the document. */
const maxChoices = 10;

/** Searches as an assistant's worker does, among all that is attached to the assistant. */
export function TrySearch({ record }: { record: KnowledgeBase }) {
  const ids = record.attached_assistant_ids.slice(0, maxChoices);
  const names = useQueries({ queries: ids.map(assistantQuery) });
  const [chosen, setChosen] = useState<string>();
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState<{ assistantId: string; query: string }>();
  const assistantId = chosen !== undefined && ids.includes(chosen) ? chosen : ids[0];
  if (assistantId === undefined) return <Section title={text.search} hint={text.searchNeedsAssistant} />;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() !== '') setAsked({ assistantId, query: typed.trim() });
  };
  return (
    <Section title={text.search} hint={record.status === 'ready' ? text.searchHint : text.notReady}>
      <form onSubmit={submit}>
        <Group align="flex-end" gap="sm">
          <Select
            label={text.searchAs}
            data={ids.map((id, index) => ({ value: id, label: names[index]?.data?.assistant.name ?? id }))}
            value={assistantId}
            onChange={(id) => setChosen(id ?? undefined)}
            allowDeselect={false}
            w={{ base: '100%', sm: 240 }}
          />
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
      {asked && <Results {...asked} knowledgeBaseId={record.id} />}
    </Section>
  );
}

interface ResultsProps {
  assistantId: string;
  query: string;
  /** The document whose page it is. */
  knowledgeBaseId: string;
}

function Results({ assistantId, query, knowledgeBaseId }: ResultsProps) {
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
              isOwn={passage.knowledge_base_id === knowledgeBaseId}
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
