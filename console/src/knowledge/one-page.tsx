import { Alert, Button, Code, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { isNowhere } from '../api/problem.ts';
import type { KnowledgeBase } from '../api/types.ts';
import { common } from '../strings/common.ts';
import { knowledge as text } from '../strings/knowledge.ts';
import { Answer } from '../ui/answer.tsx';
import { Back } from '../ui/back.tsx';
import { Copy } from '../ui/copy.tsx';
import { Facts } from '../ui/facts.tsx';
import { fileSize } from '../ui/file-size.ts';
import { Page } from '../ui/page.tsx';
import { Section } from '../ui/section.tsx';
import { Time } from '../ui/time.tsx';
import { AttachedAssistants } from './attached-assistants.tsx';
import { DeleteKnowledgeBase } from './delete-knowledge-base.tsx';
import { knowledgeBaseQuery } from './queries.ts';
import { Status } from './status.tsx';
import { TrySearch } from './try-search.tsx';

const route = getRouteApi('/knowledge/$knowledgeBaseId');

const back = <Back to="/knowledge">{text.title}</Back>;

/** One document: what is known of it, who uses it, and what is found in it. */
export function OnePage() {
  const { knowledgeBaseId } = route.useParams();
  const query = useQuery(knowledgeBaseQuery(knowledgeBaseId));
  const record = isNowhere(query.error) ? undefined : query.data;
  if (record) return <One record={record} />;
  return (
    <Page title={text.one} description={back}>
      <Answer query={{ ...query, data: record }}>{() => null}</Answer>
    </Page>
  );
}

function One({ record }: { record: KnowledgeBase }) {
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
        <Button variant="subtle" color="red" onClick={deleting.open}>
          {text.delete}
        </Button>
      }
    >
      <Stack gap="lg">
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

const count = (number: number | null) => number?.toLocaleString('en') ?? common.unknown;

function About({ record }: { record: KnowledgeBase }) {
  const { file_name, content_type, size_bytes, chunk_count, char_count, sha256, created_at, status } = record;
  return (
    <Section title={text.about} hint={status === 'processing' ? text.reading : undefined}>
      <Facts
        facts={[
          [text.file, file_name],
          [text.kind, text.kindOf(content_type)],
          [text.size, fileSize(size_bytes)],
          [text.passages, count(chunk_count)],
          [text.characters, count(char_count)],
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
