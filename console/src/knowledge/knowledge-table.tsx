import { Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import type { KnowledgeBase } from '../api/types.ts';
import { common } from '../strings/common.ts';
import { knowledge as text } from '../strings/knowledge.ts';
import { LinkAnchor } from '../ui/page/link.tsx';
import list from '../ui/table/list.module.css';
import type { RowPosition } from '../ui/table/use-virtual-rows.ts';
import { TwoLines, VirtualRow, VirtualTable } from '../ui/table/virtual-table.tsx';
import { formatFileSize } from '../ui/text/file-size.ts';
import { Time } from '../ui/text/time.tsx';
import { toVisibleName } from '../ui/text/visible-text.ts';
import { knowledgeBaseQuery, pickNewer } from './queries.ts';
import { Status } from './status.tsx';

interface Props {
  records: KnowledgeBase[];
  /** True if there are more documents to load. */
  hasMore: boolean;
}

export function KnowledgeTable({ records, hasMore }: Props) {
  return (
    <VirtualTable
      label={text.list}
      items={records}
      getKey={({ id }) => id}
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
    </VirtualTable>
  );
}

/**
 * Row of a document. Polls its document while that is being parsed, so that the list need not be refetched. Memoized,
 * so that scrolling does not re-render it.
 */
const RecordRow = memo(function RecordRow({ listed, ...place }: RowPosition & { listed: KnowledgeBase }) {
  const { data } = useQuery({ ...knowledgeBaseQuery(listed.id), enabled: listed.status === 'processing' });
  const record = pickNewer(listed, data);
  const { id, name, file_name, content_type, size_bytes, chunk_count, created_at, status_reason, warnings } = record;
  return (
    <VirtualRow {...place}>
      <td>
        <TwoLines
          main={
            <LinkAnchor to="/knowledge/$knowledgeBaseId" params={{ knowledgeBaseId: id }} className={list.name}>
              {toVisibleName(name)}
            </LinkAnchor>
          }
          more={file_name}
        />
        {status_reason && (
          <Text size="xs" c="var(--mantine-color-error)">
            {status_reason.msg}
          </Text>
        )}
        {warnings.map(({ type, msg }) => (
          <Text key={type} size="xs" c="dimmed">
            {msg}
          </Text>
        ))}
      </td>
      <td className="mantine-visible-from-md">{text.formatKind(content_type)}</td>
      <td className={`mantine-visible-from-md ${list.number}`}>{formatFileSize(size_bytes)}</td>
      <td className={`mantine-visible-from-lg ${list.number}`}>
        {chunk_count?.toLocaleString('en') ?? common.unknown}
      </td>
      <td>
        <Status status={record.status} />
      </td>
      <td className={`mantine-visible-from-sm ${list.quiet}`}>
        <Time at={created_at} />
      </td>
    </VirtualRow>
  );
});
