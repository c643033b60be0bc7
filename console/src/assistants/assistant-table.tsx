import { Paper, Table, Text, VisuallyHidden } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Assistant } from '../api/types.ts';
import { assistants as text } from '../strings/assistants.ts';
import { Failure } from '../ui/failure.tsx';
import { AssistantRow } from './assistant-row.tsx';
import classes from './assistants.module.css';

interface Props {
  assistants: Assistant[];
  query: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage' | 'error'
  >;
}

const rowHeight = 57;

/** The assistants, of which only those in sight are drawn, however many; more are read as one comes near the end. */
export function AssistantTable({ assistants, query }: Props) {
  const table = useRef<HTMLTableElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(table.current?.offsetTop ?? 0), []);
  const virtual = useWindowVirtualizer({
    count: assistants.length,
    estimateSize: () => rowHeight,
    overscan: 10,
    scrollMargin: top,
    getItemKey: (index) => assistants[index]?.id ?? index,
  });
  const rows = virtual.getVirtualItems();
  const above = (rows[0]?.start ?? top) - top;
  const below = virtual.getTotalSize() - ((rows.at(-1)?.end ?? top) - top);
  useMoreAtTheEnd((rows.at(-1)?.index ?? -1) >= assistants.length - 10, assistants.length, query);

  return (
    <Paper style={{ overflow: 'hidden' }}>
      <Table
        ref={table}
        aria-label={text.list}
        aria-rowcount={query.hasNextPage ? -1 : assistants.length + 1}
        highlightOnHover
        layout="fixed"
      >
        <Table.Thead className={classes.head}>
          <Table.Tr>
            <Table.Th>{text.field.name}</Table.Th>
            <Table.Th w="19%" visibleFrom="md">
              {text.column.model}
            </Table.Th>
            <Table.Th w="19%" visibleFrom="md">
              {text.column.voice}
            </Table.Th>
            <Table.Th w={104} visibleFrom="lg">
              {text.column.language}
            </Table.Th>
            <Table.Th w={130} visibleFrom="sm">
              {text.column.edited}
            </Table.Th>
            <Table.Th w={56}>
              <VisuallyHidden>{text.column.actions}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          <Spacer height={above} />
          {rows.map(({ index }) => {
            const assistant = assistants[index];
            return (
              assistant && (
                <AssistantRow key={assistant.id} assistant={assistant} index={index} measure={virtual.measureElement} />
              )
            );
          })}
          <Spacer height={below} />
        </Table.Tbody>
      </Table>
      {query.isFetchNextPageError ? (
        <Failure error={query.error} onRetry={() => void query.fetchNextPage()} />
      ) : (
        query.hasNextPage && (
          <Text size="sm" c="dimmed" p="md" role="status">
            {text.lookingOn}
          </Text>
        )
      )}
    </Paper>
  );
}

/** Stands for the rows that are not drawn. */
const Spacer = ({ height }: { height: number }) =>
  height > 0 && (
    <tr aria-hidden>
      <td colSpan={6} style={{ height, padding: 0 }} />
    </tr>
  );

/** Reads the next page as long as the end is in sight. A page may be empty and still lead on. */
function useMoreAtTheEnd(isEndInSight: boolean, count: number, query: Props['query']): void {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each page, it looks again
  useEffect(() => {
    if (isEndInSight && hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [isEndInSight, count, hasNextPage, isFetchingNextPage, isFetchNextPageError]);
}
