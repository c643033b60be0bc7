import { Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Can } from '../api/identity.ts';
import type { Assistant } from '../api/types.ts';
import { assistantQuery } from '../assistants/queries.ts';
import { knowledge as text } from '../strings/knowledge.ts';
import { lazyComponent } from '../ui/loading/lazy.tsx';
import { QueryView } from '../ui/loading/query-view.tsx';
import { LinkAnchor } from '../ui/page/link.tsx';
import { toVisibleName } from '../ui/text/visible-text.ts';
import classes from './attached.module.css';
import { DetachButton, useAttach } from './attachments.tsx';
import { DocumentPicker } from './document-picker.tsx';
import { knowledgeBaseQuery } from './queries.ts';
import { Search } from './search.tsx';
import { Status } from './status.tsx';
import { DropArea } from './upload/drop-area.tsx';
import { useUploads } from './upload/uploads.ts';

const UploadList = lazyComponent(() => import('./upload/upload-list.tsx'), 'UploadList');

type Attached = Assistant['attached_knowledge_bases'][number];

/**
 * Attached documents of an assistant, on its page. Attaches existing documents, and uploads new ones and attaches them.
 */
export function AssistantKnowledge({ assistantId }: { assistantId: string }) {
  const query = useQuery(assistantQuery(assistantId));
  const isUploading = useUploads(assistantId).length > 0;
  return (
    <QueryView query={query}>
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
          <Can do="write">
            <AttachExisting assistantId={assistantId} attached={attached} />
            <DropArea assistantId={assistantId} />
          </Can>
          {isUploading && <UploadList assistantId={assistantId} />}
          {attached.length > 0 && (
            <Can do="runtime">
              <Title order={3} size="sm" mt="xs">
                {text.search}
              </Title>
              <Search assistantId={assistantId} />
            </Can>
          )}
        </Stack>
      )}
    </QueryView>
  );
}

function AttachExisting({ assistantId, attached }: { assistantId: string; attached: Attached[] }) {
  const attaching = useAttach();
  return (
    <DocumentPicker
      excludedIds={attached.map(({ id }) => id)}
      isBusy={attaching.isPending}
      onPick={({ id, name }) => attaching.mutate({ assistantId, knowledgeBaseId: id, name })}
    />
  );
}

function Row({ assistantId, base }: { assistantId: string; base: Attached }) {
  const { id, file_name } = base;
  const name = toVisibleName(base.name);
  const { data } = useQuery({ ...knowledgeBaseQuery(id), enabled: base.status !== 'ready' });
  // A newer state of the assistant takes precedence over an older poll of the document.
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
