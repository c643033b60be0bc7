import { Select } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import type { KnowledgeBase } from '../api/types.ts';
import { assistantQuery } from '../assistants/queries.ts';
import { knowledge as text } from '../strings/knowledge.ts';
import { Section } from '../ui/page/section.tsx';
import { toVisibleName } from '../ui/text/visible-text.ts';
import { Search } from './search.tsx';

/** Number of assistants to choose from, as many as the page lists initially. */
const maxChoices = 10;

/** Searches as an assistant that uses the document, in all documents attached to it. */
export function TrySearch({ record }: { record: KnowledgeBase }) {
  const ids = record.attached_assistant_ids.slice(0, maxChoices);
  const names = useQueries({ queries: ids.map(assistantQuery) });
  const [chosen, setChosen] = useState<string>();
  const assistantId = chosen !== undefined && ids.includes(chosen) ? chosen : ids[0];
  if (assistantId === undefined) return <Section title={text.search} hint={text.searchNeedsAssistant} />;
  return (
    <Section title={text.search} hint={record.status === 'ready' ? text.searchHint : text.notReady}>
      <Search assistantId={assistantId} ownId={record.id}>
        <Select
          label={text.searchAs}
          data={ids.map((id, index) => ({ value: id, label: toVisibleName(names[index]?.data?.assistant.name ?? id) }))}
          value={assistantId}
          onChange={(id) => setChosen(id ?? undefined)}
          allowDeselect={false}
          w={{ base: '100%', sm: 240 }}
        />
      </Search>
    </Section>
  );
}
