import { Paper, Table, Title } from '@mantine/core';
import { formatCount, formatDecimal, overview as text } from '../strings/overview.ts';
import { LinkAnchor } from '../ui/page/link.tsx';
import lists from '../ui/table/list.module.css';
import classes from './overview.module.css';
import type { Share } from './tally.ts';

interface Props {
  /** Sorted by number of calls, highest first. */
  assistants: readonly Share[];
  getName: (id: string) => string;
  /** Formats a cost. */
  format: (cost: number) => string;
}

/** Totals of each assistant, for more assistants than a chart can show. Names link to the overview of one assistant. */
export const ByAssistant = ({ assistants, getName, format }: Props) => (
  <Paper component="section" style={{ overflow: 'hidden' }}>
    <Title order={2} size="sm" p="md">
      {text.byAssistant}
    </Title>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
    <section className={classes.table} tabIndex={0} aria-label={text.byAssistant}>
      <Table aria-label={text.byAssistant} layout="fixed" stickyHeader>
        <Table.Thead className={lists.head}>
          <Table.Tr>
            <Table.Th>{text.assistant}</Table.Th>
            <Table.Th w={72} className={lists.number}>
              {text.calls}
            </Table.Th>
            <Table.Th w={84} className={lists.number}>
              {text.minutes}
            </Table.Th>
            <Table.Th w={130} className={lists.number} visibleFrom="sm">
              {text.cost}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {assistants.map(({ id, calls, minutes, cost }) => (
            <Table.Tr key={id}>
              <Table.Td>
                <LinkAnchor to="/overview" search={(before) => ({ ...before, assistant: id })} className={lists.name}>
                  {getName(id)}
                </LinkAnchor>
              </Table.Td>
              <Table.Td className={lists.number}>{formatCount(calls)}</Table.Td>
              <Table.Td className={lists.number}>{formatDecimal(minutes)}</Table.Td>
              <Table.Td className={lists.number} visibleFrom="sm">
                {format(cost)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  </Paper>
);
