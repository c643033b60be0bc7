import { XMarkIcon } from '@heroicons/react/24/outline';
import { ActionIcon, Group, Stack, Text, Tooltip } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Assistant } from '../api/types.ts';
import { assistantQuery, attach } from '../assistants/queries.ts';
import { knowledge as text } from '../strings/knowledge.ts';
import { Answer } from '../ui/answer.tsx';
import { LinkAnchor } from '../ui/link.tsx';
import { notifyDone, notifyFailed } from '../ui/notify.ts';
import classes from './attached.module.css';
import { DocumentPicker } from './document-picker.tsx';
import { detach, knowledgeBaseQuery, refresh } from './queries.ts';
import { Status } from './status.tsx';
import { DropArea } from './upload/drop-area.tsx';
import { UploadList } from './upload/upload-list.tsx';

type Attached = Assistant['attached_knowledge_bases'][number];

/** What is attached to an assistant; attaches what is there, or uploads and attaches at once. For the assistant's own page. */
export function AssistantKnowledge({ assistantId }: { assistantId: string }) {
  const query = useQuery(assistantQuery(assistantId));
  return (
    <Answer query={query}>
      {({ assistant: { attached_knowledge_bases: attached } }) => (
        <Stack gap="md">
          {attached.length > 0 ? (
            <ul className={classes.list}>
              {attached.map((base) => (
                <Row key={base.id} assistantId={assistantId} base={base} />
              ))}
            </ul>
          ) : (
            <Text size="sm" c="dimmed">
              {text.attachedNone}
            </Text>
          )}
          <AttachExisting assistantId={assistantId} attached={attached} />
          <DropArea assistantId={assistantId} />
          <UploadList assistantId={assistantId} />
        </Stack>
      )}
    </Answer>
  );
}

function AttachExisting({ assistantId, attached }: { assistantId: string; attached: Attached[] }) {
  const cache = useQueryClient();
  const attaching = useMutation({
    mutationFn: ({ id }: { id: string; name: string }) => attach(assistantId, id),
    onSuccess: async (_, { name }) => {
      await refresh(cache);
      notifyDone(text.attached(name));
    },
    onError: notifyFailed,
  });
  return (
    <DocumentPicker without={attached.map(({ id }) => id)} isBusy={attaching.isPending} onPick={attaching.mutate} />
  );
}

function Row({ assistantId, base }: { assistantId: string; base: Attached }) {
  const { id, name, file_name } = base;
  const cache = useQueryClient();
  const { data } = useQuery({ ...knowledgeBaseQuery(id), enabled: base.status === 'processing' });
  const detaching = useMutation({
    mutationFn: () => detach(assistantId, id),
    onSuccess: async () => {
      await refresh(cache);
      notifyDone(text.detached(name));
    },
    onError: notifyFailed,
  });
  return (
    <li>
      <div className={classes.name}>
        <LinkAnchor to="/knowledge/$knowledgeBaseId" params={{ knowledgeBaseId: id }} size="sm" fw={500}>
          {name}
        </LinkAnchor>
        <Text size="xs" c="dimmed">
          {file_name}
        </Text>
      </div>
      <Group gap="xs" wrap="nowrap">
        <Status status={data?.status ?? base.status} />
        <Tooltip label={text.detach(name)}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={text.detach(name)}
            loading={detaching.isPending}
            onClick={() => detaching.mutate()}
          >
            <XMarkIcon width={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Group>
    </li>
  );
}
