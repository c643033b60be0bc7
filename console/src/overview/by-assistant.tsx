import { Paper, Table, Title } from '@mantine/core';
import { clock } from '../calls/clock.ts';
import { common } from '../strings/common.ts';
import { counted, decimal, overview as text } from '../strings/overview.ts';
import { LinkAnchor } from '../ui/link.tsx';
import lists from '../ui/list.module.css';
import classes from './overview.module.css';
import type { Share } from './tally.ts';

interface Props {
  /** Those with the most calls first. */
  assistants: readonly Share[];
  nameOf: (id: string) => string;
}

/** Totals of each assistant, for more of them than a plot tells apart. A name leads to its own overview. */
export const ByAssistant = ({ assistants, nameOf }: Props) => (
  <Paper component="section" style={{ overflow: 'hidden' }}>
    <Title order={2} size="sm" p="md">
      {text.byAssistant}
    </Title>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
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
              {text.average}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {assistants.map(({ id, calls, seconds, timed }) => (
            <Table.Tr key={id}>
              <Table.Td>
                <LinkAnchor to="/overview" search={(before) => ({ ...before, assistant: id })} className={lists.name}>
                  {nameOf(id)}
                </LinkAnchor>
              </Table.Td>
              <Table.Td className={lists.number}>{counted(calls)}</Table.Td>
              <Table.Td className={lists.number}>{decimal(seconds / 60)}</Table.Td>
              <Table.Td className={lists.number} visibleFrom="sm">
                {timed > 0 ? clock(seconds / timed) : common.unknown}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  </Paper>
);
