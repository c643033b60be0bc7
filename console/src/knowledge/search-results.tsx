import { Badge, Group, Paper, Stack, Text, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { FoundPassage } from '../api/types.ts';
import { knowledge as text } from '../strings/knowledge.ts';
import { QueryView } from '../ui/loading/query-view.tsx';
import { LinkAnchor } from '../ui/page/link.tsx';
import { HighlightedText } from '../ui/text/highlighted-text.tsx';
import { highlight } from './highlight.ts';
import { searchQuery } from './queries.ts';
import classes from './search.module.css';

interface Props {
  assistantId: string | undefined;
  query: string;
  ownId: string | undefined;
}

/** Passages that a search finds for a question. */
export function SearchResults({ assistantId, query, ownId }: Props) {
  const found = useQuery(searchQuery(assistantId, query));
  return (
    <QueryView query={found}>
      {(passages) => (
        <Stack gap="sm">
          <Text size="sm" c="dimmed" role="status">
            {passages.length > 0 ? text.results(passages.length) : text.nothingFound}
          </Text>
          {passages.map((passage, index) => (
            <Passage
              // biome-ignore lint/suspicious/noArrayIndexKey: passages have no ids, and a response does not change
              key={index}
              passage={passage}
              query={query}
              isOwn={passage.knowledge_base_id === ownId}
            />
          ))}
        </Stack>
      )}
    </QueryView>
  );
}

function Passage({ passage, query, isOwn }: { passage: FoundPassage; query: string; isOwn: boolean }) {
  const { knowledge_base_id: knowledgeBaseId, file_name, page, score } = passage;
  return (
    <Paper component="article" p="md">
      <Group gap="xs" mb="xs">
        {isOwn ? (
          <Text size="xs" fw={600} className={classes.text}>
            {file_name}
          </Text>
        ) : (
          <LinkAnchor
            to="/knowledge/$knowledgeBaseId"
            params={{ knowledgeBaseId }}
            size="xs"
            fw={600}
            className={classes.text}
          >
            {file_name}
          </LinkAnchor>
        )}
        {page !== null && <Text size="xs">{text.page(page)}</Text>}
        {isOwn && <Badge size="sm">{text.thisOne}</Badge>}
        <Tooltip label={text.scoreHint}>
          <Text size="xs" c="dimmed" ml="auto">
            {text.score(score.toFixed(1))}
          </Text>
        </Tooltip>
      </Group>
      <Text size="sm" className={classes.text}>
        <HighlightedText parts={highlight(passage.text, query)} />
      </Text>
    </Paper>
  );
}
