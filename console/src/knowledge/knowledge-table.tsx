import { Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import type { KnowledgeBase } from '../api/types.ts';
import { common } from '../strings/common.ts';
import { knowledge as text } from '../strings/knowledge.ts';
import { fileSize } from '../ui/file-size.ts';
import { LinkAnchor } from '../ui/link.tsx';
import list from '../ui/list.module.css';
import { Lines, LongTable, Row } from '../ui/long-table.tsx';
import { Time } from '../ui/time.tsx';
import type { RowPlace } from '../ui/virtual-rows.ts';
import { nameToShow } from '../ui/visible.ts';
import { knowledgeBaseQuery, newer } from './queries.ts';
import { Status } from './status.tsx';

interface Props {
  records: KnowledgeBase[];
  /** Whether there are more that have not been read. */
  hasMore: boolean;
}

/** The documents, however many. */
export function KnowledgeTable({ records, hasMore }: Props) {
  return (
    <LongTable
      label={text.list}
      items={records}
      keyOf={({ id }) => id}
      hasMore={hasMore}
      head={
        <>
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
        </>
      }
    >
      {(drawn) => (
        <tbody>
          {drawn.map(({ item, ...place }) => (
            <RecordRow key={item.id} listed={item} {...place} />
          ))}
        </tbody>
      )}
    </LongTable>
  );
}

/**
 * A row follows its document by itself while that is being read, so that the whole list need not be read again. Not drawn
 * anew as the list is scrolled.
 */
const RecordRow = memo(function RecordRow({ listed, ...place }: RowPlace & { listed: KnowledgeBase }) {
  const { data } = useQuery({ ...knowledgeBaseQuery(listed.id), enabled: listed.status === 'processing' });
  const record = newer(listed, data);
  const { id, name, file_name, content_type, size_bytes, chunk_count, created_at, status_reason } = record;
  return (
    <Row {...place}>
      <td>
        <Lines
          main={
            <LinkAnchor to="/knowledge/$knowledgeBaseId" params={{ knowledgeBaseId: id }} className={list.name}>
              {nameToShow(name)}
            </LinkAnchor>
          }
          more={file_name}
        />
        {status_reason && (
          <Text size="xs" c="var(--mantine-color-error)">
            {status_reason.msg}
          </Text>
        )}
      </td>
      <td className="mantine-visible-from-md">{text.kindOf(content_type)}</td>
      <td className={`mantine-visible-from-md ${list.number}`}>{fileSize(size_bytes)}</td>
      <td className={`mantine-visible-from-lg ${list.number}`}>
        {chunk_count?.toLocaleString('en') ?? common.unknown}
      </td>
      <td>
        <Status status={record.status} />
      </td>
      <td className={`mantine-visible-from-sm ${list.quiet}`}>
        <Time at={created_at} />
      </td>
    </Row>
  );
});
