import { Table, VisuallyHidden } from '@mantine/core';
import type { Assistant } from '../api/types.ts';
import { assistants as text } from '../strings/assistants.ts';
import { LongTable } from '../ui/long-table.tsx';
import { AssistantRow } from './assistant-row.tsx';

interface Props {
  assistants: Assistant[];
  /** Whether there are more that have not been read. */
  hasMore: boolean;
}

/** The assistants, however many. */
export function AssistantTable({ assistants, hasMore }: Props) {
  return (
    <LongTable
      label={text.list}
      items={assistants}
      keyOf={({ id }) => id}
      hasMore={hasMore}
      head={
        <>
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
        </>
      }
    >
      {(drawn) => (
        <tbody>
          {drawn.map(({ item, ...place }) => (
            <AssistantRow key={item.id} assistant={item} {...place} />
          ))}
        </tbody>
      )}
    </LongTable>
  );
}
