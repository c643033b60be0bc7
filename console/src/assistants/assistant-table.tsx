import { Paper, Table, VisuallyHidden } from '@mantine/core';
import type { Assistant } from '../api/types.ts';
import { assistants as text } from '../strings/assistants.ts';
import list from '../ui/list.module.css';
import { Spacer, useVirtualRows } from '../ui/virtual-rows.tsx';
import { AssistantRow } from './assistant-row.tsx';

interface Props {
  assistants: Assistant[];
  /** Whether there are more that have not been read. */
  hasMore: boolean;
}

/** The assistants, of which only those in sight are drawn, however many. */
export function AssistantTable({ assistants, hasMore }: Props) {
  const { table, indices, above, below, measure } = useVirtualRows({
    count: assistants.length,
    keyOf: (index) => assistants[index]?.id ?? String(index),
  });
  return (
    <Paper style={{ overflow: 'auto' }}>
      <Table
        ref={table}
        aria-label={text.list}
        aria-rowcount={hasMore ? -1 : assistants.length + 1}
        highlightOnHover
        layout="fixed"
      >
        <Table.Thead className={list.head}>
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
          {indices.map((index) => {
            const assistant = assistants[index];
            return (
              assistant && <AssistantRow key={assistant.id} assistant={assistant} index={index} measure={measure} />
            );
          })}
          <Spacer height={below} />
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
