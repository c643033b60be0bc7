import { Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Assistant } from '../api/types.ts';
import { assistantQuery } from '../assistants/queries.ts';
import { knowledge as text } from '../strings/knowledge.ts';
import { Answer } from '../ui/answer.tsx';
import { later } from '../ui/later.tsx';
import { LinkAnchor } from '../ui/link.tsx';
import { nameToShow } from '../ui/visible.ts';
import classes from './attached.module.css';
import { DetachButton, useAttaching } from './attaching.tsx';
import { DocumentPicker } from './document-picker.tsx';
import { knowledgeBaseQuery } from './queries.ts';
import { Search } from './search.tsx';
import { Status } from './status.tsx';
import { DropArea } from './upload/drop-area.tsx';
import { useUploads } from './upload/uploads.ts';

const UploadList = later(() => import('./upload/upload-list.tsx'), 'UploadList');

type Attached = Assistant['attached_knowledge_bases'][number];

/** What is attached to an assistant; attaches what is there, or uploads and attaches at once. For the assistant's own page. */
export function AssistantKnowledge({ assistantId }: { assistantId: string }) {
  const query = useQuery(assistantQuery(assistantId));
  const isUploading = useUploads(assistantId).length > 0;
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
          {isUploading && <UploadList assistantId={assistantId} />}
          {attached.length > 0 && (
            <>
              <Title order={3} size="sm" mt="xs">
                {text.search}
              </Title>
              <Search assistantId={assistantId} />
            </>
          )}
        </Stack>
      )}
    </Answer>
  );
}

function AttachExisting({ assistantId, attached }: { assistantId: string; attached: Attached[] }) {
  const attaching = useAttaching();
  return (
    <DocumentPicker
      without={attached.map(({ id }) => id)}
      isBusy={attaching.isPending}
      onPick={({ id, name }) => attaching.mutate({ assistantId, knowledgeBaseId: id, name })}
    />
  );
}

function Row({ assistantId, base }: { assistantId: string; base: Attached }) {
  const { id, file_name } = base;
  const name = nameToShow(base.name);
  const { data } = useQuery({ ...knowledgeBaseQuery(id), enabled: base.status !== 'ready' });
  // Once the assistant says that its document was read, what is left of following that is older.
  const status = base.status === 'processing' ? (data?.status ?? base.status) : base.status;
  return (
    <li>
      <div className={classes.name}>
        <LinkAnchor to="/knowledge/$knowledgeBaseId" params={{ knowledgeBaseId: id }} size="sm" fw={500}>
          {name}
        </LinkAnchor>
        <Text size="xs" c="dimmed">
          {file_name}
        </Text>
        {status === 'failed' && data?.status_reason && (
          <Text size="xs" c="var(--mantine-color-error)">
            {data.status_reason.msg}
          </Text>
        )}
      </div>
      <Group gap="xs" wrap="nowrap">
        <Status status={status} />
        <DetachButton assistantId={assistantId} knowledgeBaseId={id} name={name} label={text.detach(name)} />
      </Group>
    </li>
  );
}
