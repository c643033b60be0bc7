import { Table } from '@mantine/core';
import { overview as text } from '../strings/overview.ts';
import { LinkAnchor } from '../ui/link.tsx';
import lists from '../ui/list.module.css';
import type { DayPlotProps } from './day-plot.tsx';
import { longDay } from './days.ts';
import classes from './overview.module.css';

/** What a plot shows, in numbers, newest day first. A day leads to its calls. */
export function DayTable({ title, tally: { days, shares }, nameOf, measure, format, assistant }: DayPlotProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className={classes.table} tabIndex={0} aria-label={title}>
      <Table aria-label={title} stickyHeader>
        <Table.Thead className={lists.head}>
          <Table.Tr>
            <Table.Th>{text.day}</Table.Th>
            {shares.map(({ id }) => (
              <Table.Th key={id} className={lists.number}>
                {nameOf(id)}
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
                    {longDay(day)}
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
