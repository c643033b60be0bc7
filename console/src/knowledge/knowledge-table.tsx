import { Paper, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { KnowledgeBase } from '../api/types.ts';
import { common } from '../strings/common.ts';
import { knowledge as text } from '../strings/knowledge.ts';
import { fileSize } from '../ui/file-size.ts';
import { LinkAnchor } from '../ui/link.tsx';
import list from '../ui/list.module.css';
import { Time } from '../ui/time.tsx';
import { knowledgeBaseQuery, newer } from './queries.ts';
import { Status } from './status.tsx';

export function KnowledgeTable({ records }: { records: KnowledgeBase[] }) {
  return (
    <Paper style={{ overflow: 'auto' }}>
      <Table aria-label={text.list} highlightOnHover layout="fixed">
        <Table.Thead className={list.head}>
          <Table.Tr>
            <Table.Th>{text.column.name}</Table.Th>
            <Table.Th w="16%" visibleFrom="md">
              {text.column.kind}
            </Table.Th>
            <Table.Th w={100} ta="right" visibleFrom="md">
              {text.column.size}
            </Table.Th>
            <Table.Th w={100} ta="right" visibleFrom="lg">
              {text.column.passages}
            </Table.Th>
            <Table.Th w={130}>{text.column.status}</Table.Th>
            <Table.Th w={130} visibleFrom="sm">
              {text.column.created}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {records.map((record) => (
            <Row key={record.id} listed={record} />
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

/** A row follows its document by itself while that is being read, so that the whole list need not be read again. */
function Row({ listed }: { listed: KnowledgeBase }) {
  const { data } = useQuery({ ...knowledgeBaseQuery(listed.id), enabled: listed.status === 'processing' });
  const record = newer(listed, data);
  const { id, name, file_name, content_type, size_bytes, chunk_count, created_at, status_reason } = record;
  return (
    <Table.Tr>
      <Table.Td>
        <LinkAnchor to="/knowledge/$knowledgeBaseId" params={{ knowledgeBaseId: id }} className={list.name}>
          {name}
        </LinkAnchor>
        <Text size="xs" c="dimmed" truncate>
          {file_name}
        </Text>
        {status_reason && (
          <Text size="xs" c="var(--mantine-color-error)">
            {status_reason.msg}
          </Text>
        )}
      </Table.Td>
      <Table.Td visibleFrom="md">{text.kindOf(content_type)}</Table.Td>
      <Table.Td ta="right" visibleFrom="md">
        {fileSize(size_bytes)}
      </Table.Td>
      <Table.Td ta="right" visibleFrom="lg">
        {chunk_count?.toLocaleString('en') ?? common.unknown}
      </Table.Td>
      <Table.Td>
        <Status status={record.status} />
      </Table.Td>
      <Table.Td visibleFrom="sm" className={list.quiet}>
        <Time at={created_at} />
      </Table.Td>
    </Table.Tr>
  );
}
