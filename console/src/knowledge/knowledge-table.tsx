import { Paper, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import type { KnowledgeBase } from '../api/types.ts';
import { common } from '../strings/common.ts';
import { knowledge as text } from '../strings/knowledge.ts';
import { fileSize } from '../ui/file-size.ts';
import { LinkAnchor } from '../ui/link.tsx';
import list from '../ui/list.module.css';
import { Time } from '../ui/time.tsx';
import { type RowPlace, rowAt, Spacer, useVirtualRows } from '../ui/virtual-rows.tsx';
import { knowledgeBaseQuery, newer } from './queries.ts';
import { Status } from './status.tsx';

interface Props {
  records: KnowledgeBase[];
  /** Whether there are more that have not been read. */
  hasMore: boolean;
}

/** The documents, of which only those in sight are drawn, however many. */
export function KnowledgeTable({ records, hasMore }: Props) {
  const { table, indices, above, below, measure } = useVirtualRows({
    count: records.length,
    keyOf: (index) => records[index]?.id ?? String(index),
  });
  return (
    <Paper style={{ overflow: 'auto' }}>
      <Table
        ref={table}
        aria-label={text.list}
        aria-rowcount={hasMore ? -1 : records.length + 1}
        highlightOnHover
        layout="fixed"
      >
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
          <Spacer height={above} />
          {indices.map((index) => {
            const record = records[index];
            return record && <Row key={record.id} listed={record} index={index} measure={measure} />;
          })}
          <Spacer height={below} />
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

/**
 * A row follows its document by itself while that is being read, so that the whole list need not be read again. Not drawn
 * anew as the list is scrolled.
 */
const Row = memo(function Row({ listed, ...place }: RowPlace & { listed: KnowledgeBase }) {
  const { data } = useQuery({ ...knowledgeBaseQuery(listed.id), enabled: listed.status === 'processing' });
  const record = newer(listed, data);
  const { id, name, file_name, content_type, size_bytes, chunk_count, created_at, status_reason } = record;
  return (
    <Table.Tr {...rowAt(place)}>
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
});
