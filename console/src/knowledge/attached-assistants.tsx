import { XMarkIcon } from '@heroicons/react/24/outline';
import { ActionIcon, Button, Skeleton, Tooltip } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { KnowledgeBase } from '../api/types.ts';
import { AssistantPicker } from '../assistants/assistant-picker.tsx';
import { assistantQuery, attach } from '../assistants/queries.ts';
import { knowledge as text } from '../strings/knowledge.ts';
import { LinkAnchor } from '../ui/link.tsx';
import { notifyDone, notifyFailed } from '../ui/notify.ts';
import { Section } from '../ui/section.tsx';
import classes from './attached.module.css';
import { detach, refresh } from './queries.ts';

/** There may be a thousand, and each takes a request for its name. */
const shownAtFirst = 10;

/** The assistants that use a document, and a field to attach it to another. */
export function AttachedAssistants({ record }: { record: KnowledgeBase }) {
  const { id, attached_assistant_ids: ids } = record;
  const cache = useQueryClient();
  const [shown, setShown] = useState(shownAtFirst);
  const attaching = useMutation({
    mutationFn: ({ assistantId }: { assistantId: string; name: string }) => attach(assistantId, id),
    onSuccess: async (_, { name }) => {
      await refresh(cache);
      notifyDone(text.attached(name));
    },
    onError: notifyFailed,
  });
  return (
    <Section title={text.attachedTo} hint={ids.length > 0 ? text.attachedToHint : text.attachedToNone}>
      {ids.length > 0 && (
        <ul className={classes.list}>
          {ids.slice(0, shown).map((assistantId) => (
            <Row key={assistantId} assistantId={assistantId} knowledgeBaseId={id} />
          ))}
        </ul>
      )}
      {ids.length > shown && (
        <Button variant="subtle" size="xs" onClick={() => setShown(shown + shownAtFirst)}>
          {text.showMore(Math.min(shownAtFirst, ids.length - shown))}
        </Button>
      )}
      <AssistantPicker
        label={text.attachTo}
        without={ids}
        isBusy={attaching.isPending}
        onPick={(assistant) => attaching.mutate({ assistantId: assistant.id, name: assistant.name })}
      />
    </Section>
  );
}

function Row({ assistantId, knowledgeBaseId }: { assistantId: string; knowledgeBaseId: string }) {
  const cache = useQueryClient();
  const { data, isError } = useQuery(assistantQuery(assistantId));
  const name = data?.assistant.name ?? assistantId;
  const detaching = useMutation({
    mutationFn: () => detach(assistantId, knowledgeBaseId),
    onSuccess: async () => {
      await refresh(cache);
      notifyDone(text.detached(name));
    },
    onError: notifyFailed,
  });
  return (
    <li>
      {data || isError ? (
        <LinkAnchor to="/assistants/$assistantId" params={{ assistantId }} size="sm" className={classes.name}>
          {name}
        </LinkAnchor>
      ) : (
        <Skeleton height={16} width="40%" />
      )}
      <Tooltip label={text.detachFrom(name)}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={text.detachFrom(name)}
          loading={detaching.isPending}
          onClick={() => detaching.mutate()}
        >
          <XMarkIcon width={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </li>
  );
}
