import { Alert, Button, Code, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { isNotFound } from '../api/api-error.ts';
import { Can } from '../api/identity.ts';
import type { KnowledgeBase } from '../api/types.ts';
import { common } from '../strings/common.ts';
import { knowledge as text } from '../strings/knowledge.ts';
import { QueryView } from '../ui/loading/query-view.tsx';
import { BackLink } from '../ui/page/back-link.tsx';
import { Page } from '../ui/page/page.tsx';
import { Section } from '../ui/page/section.tsx';
import { Copy } from '../ui/text/copy.tsx';
import { DescriptionList } from '../ui/text/description-list.tsx';
import { formatFileSize } from '../ui/text/file-size.ts';
import { Time } from '../ui/text/time.tsx';
import { AttachedAssistants } from './attached-assistants.tsx';
import { DeleteKnowledgeBase } from './delete-knowledge-base.tsx';
import { knowledgeBaseQuery } from './queries.ts';
import { Status } from './status.tsx';
import { TrySearch } from './try-search.tsx';

const route = getRouteApi('/knowledge/$knowledgeBaseId');

const back = <BackLink to="/knowledge">{text.title}</BackLink>;

/** Page of one document: its details, the assistants that use it, and a search. */
export function OnePage() {
  const { knowledgeBaseId } = route.useParams();
  const query = useQuery(knowledgeBaseQuery(knowledgeBaseId));
  const record = isNotFound(query.error) ? undefined : query.data;
  if (record) return <DocumentPage record={record} />;
  return (
    <Page title={text.one} description={back}>
      <QueryView query={{ ...query, data: record }}>{() => null}</QueryView>
    </Page>
  );
}

function DocumentPage({ record }: { record: KnowledgeBase }) {
  const navigate = route.useNavigate();
  const [isDeleting, deleting] = useDisclosure();
  return (
    <Page
      title={record.name}
      description={
        <Group gap="xs">
          {back}
          <Status status={record.status} />
          <Group gap={4} visibleFrom="sm">
            <Code>{record.id}</Code>
            <Copy value={record.id} label={common.copyId} />
          </Group>
        </Group>
      }
      actions={
        <Can do="write">
          <Button variant="subtle" color="red" onClick={deleting.open}>
            {text.delete}
          </Button>
        </Can>
      }
    >
      <Stack gap="lg">
        {record.warnings.length > 0 && (
          <Alert color="yellow" title={text.warningsTitle}>
            {record.warnings.map(({ type, msg }) => (
              <Text key={type} size="sm">
                {msg}
              </Text>
            ))}
          </Alert>
        )}
        {record.status_reason && (
          <Alert color="red" title={text.failedTitle}>
            <Text size="sm">{record.status_reason.msg}</Text>
            <Text size="sm">{text.failedAdvice}</Text>
          </Alert>
        )}
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
          <About record={record} />
          <AttachedAssistants record={record} />
        </SimpleGrid>
        <TrySearch record={record} />
      </Stack>
      <DeleteKnowledgeBase
        record={record}
        opened={isDeleting}
        onClose={deleting.close}
        onDeleted={() => navigate({ to: '/knowledge' })}
      />
    </Page>
  );
}

const formatCount = (number: number | null) => number?.toLocaleString('en') ?? common.unknown;

function About({ record }: { record: KnowledgeBase }) {
  const { file_name, content_type, size_bytes, chunk_count, char_count, sha256, created_at, status } = record;
  return (
    <Section title={text.about} hint={status === 'processing' ? text.reading : undefined}>
      <DescriptionList
        items={[
          [text.file, file_name],
          [text.kind, text.formatKind(content_type)],
          [text.size, formatFileSize(size_bytes)],
          [text.passages, formatCount(chunk_count)],
          [text.characters, formatCount(char_count)],
          [text.added, <Time key="added" at={created_at} />],
          [text.digest, sha256 ? <Digest key="digest" value={sha256} /> : common.unknown],
        ]}
      />
    </Section>
  );
}

const Digest = ({ value }: { value: string }) => (
  <Group gap={4} wrap="nowrap">
    <Code>{`${value.slice(0, 12)}…`}</Code>
    <Copy value={value} label={text.copyDigest} />
  </Group>
);
