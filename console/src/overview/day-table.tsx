import { Table } from '@mantine/core';
import { overview as text } from '../strings/overview.ts';
import { LinkAnchor } from '../ui/page/link.tsx';
import lists from '../ui/table/list.module.css';
import type { DayPlotProps } from './day-plot.tsx';
import { formatLongDay } from './days.ts';
import classes from './overview.module.css';

/** The numbers of a chart, newest day first. Days link to their calls. */
export function DayTable({ title, tally: { days, shares }, getName, measure, format, assistant }: DayPlotProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={classes.table} tabIndex={0} aria-label={title}>
      <Table aria-label={title} stickyHeader>
        <Table.Thead className={lists.head}>
          <Table.Tr>
            <Table.Th>{text.day}</Table.Th>
            {shares.map(({ id }) => (
              <Table.Th key={id} className={lists.number}>
                {getName(id)}
              </Table.Th>
            ))}
            <Table.Th className={lists.number}>{text.inAll}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.toReversed().map(({ day, byShare }) => {
            const values = shares.map(({ id }) => {
              const count = byShare.get(id);
              return { id, value: count ? measure(count) : 0 };
            });
            return (
              <Table.Tr key={day}>
                <Table.Th scope="row" fw={400} className={lists.quiet}>
                  <LinkAnchor to="/calls" search={{ assistant, from: day, to: day }} inherit>
                    {formatLongDay(day)}
                  </LinkAnchor>
                </Table.Th>
                {values.map(({ id, value }) => (
                  <Table.Td key={id} className={lists.number}>
                    {format(value)}
                  </Table.Td>
                ))}
                <Table.Td className={lists.number}>
                  {format(values.reduce((sum, { value }) => sum + value, 0))}
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </section>
  );
}
