import { Table, VisuallyHidden } from '@mantine/core';
import type { Assistant } from '../../api/types.ts';
import { assistants as text } from '../../strings/assistants.ts';
import { VirtualTable } from '../../ui/table/virtual-table.tsx';
import { AssistantRow } from './assistant-row.tsx';

interface Props {
  assistants: Assistant[];
  /** True if there are more assistants to load. */
  hasMore: boolean;
}

export function AssistantTable({ assistants, hasMore }: Props) {
  return (
    <VirtualTable
      label={text.list}
      items={assistants}
      getKey={({ id }) => id}
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
    </VirtualTable>
  );
}
