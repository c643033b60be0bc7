import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Can } from '../api/identity.ts';
import type { KnowledgeBase } from '../api/types.ts';
import { AssistantPicker } from '../assistants/assistant-picker.tsx';
import { assistantQuery } from '../assistants/queries.ts';
import { knowledge as text } from '../strings/knowledge.ts';
import { LinkAnchor } from '../ui/page/link.tsx';
import { Section } from '../ui/page/section.tsx';
import { toVisibleName } from '../ui/text/visible-text.ts';
import classes from './attached.module.css';
import { DetachButton, useAttach } from './attachments.tsx';

/** Number of assistants shown initially. There may be a thousand, and each name takes a request. */
const pageSize = 10;

/** Assistants that use a document, and a field to attach it to another. A failed document cannot be searched, so it has no field. */
export function AttachedAssistants({ record }: { record: KnowledgeBase }) {
  const { id, status, attached_assistant_ids: ids } = record;
  const hint = status === 'failed' ? text.attachedToFailed : text.attachedToNone;
  const [shown, setShown] = useState(pageSize);
  const attaching = useAttach();
  return (
    <Section title={text.attachedTo} hint={ids.length > 0 && status !== 'failed' ? text.attachedToHint : hint}>
      {ids.length > 0 && (
        <ul className={classes.list}>
          {ids.slice(0, shown).map((assistantId) => (
            <Row key={assistantId} assistantId={assistantId} knowledgeBaseId={id} />
          ))}
        </ul>
      )}
      {ids.length > shown && (
        <Button variant="subtle" size="xs" onClick={() => setShown(shown + pageSize)}>
          {text.showMore(Math.min(pageSize, ids.length - shown))}
        </Button>
      )}
      {status !== 'failed' && (
        <Can do="write">
          <AssistantPicker
            label={text.attachTo}
            excludedIds={ids}
            isBusy={attaching.isPending}
            onPick={(assistant) =>
              attaching.mutate({ assistantId: assistant.id, knowledgeBaseId: id, name: assistant.name })
            }
          />
        </Can>
      )}
    </Section>
  );
}

function Row({ assistantId, knowledgeBaseId }: { assistantId: string; knowledgeBaseId: string }) {
  const { data, isError } = useQuery(assistantQuery(assistantId));
  const name = toVisibleName(data?.assistant.name ?? assistantId);
  return (
    <li>
      {data || isError ? (
        <LinkAnchor to="/assistants/$assistantId" params={{ assistantId }} size="sm" className={classes.name}>
          {name}
        </LinkAnchor>
      ) : (
        <Skeleton height={16} width="40%" />
      )}
      <DetachButton
        assistantId={assistantId}
        knowledgeBaseId={knowledgeBaseId}
        name={name}
        label={text.detachFrom(name)}
      />
    </li>
  );
}
