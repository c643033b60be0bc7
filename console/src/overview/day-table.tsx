import { Table } from '@mantine/core';
import { common } from '../strings/common.ts';
import { overview as text } from '../strings/overview.ts';
import { LinkAnchor } from '../ui/page/link.tsx';
import lists from '../ui/table/list.module.css';
import type { DayPlotProps } from './day-plot.tsx';
import { formatLongDay } from './days.ts';
import classes from './overview.module.css';

/** The numbers of a chart, newest day first. Days link to their calls. */
export function DayTable({ title, days, series, format, isSum, assistant }: DayPlotProps) {
  const formatValue = (value: number | undefined) =>
    value === undefined && !isSum ? common.unknown : format(value ?? 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={classes.table} tabIndex={0} aria-label={title}>
      <Table aria-label={title} stickyHeader>
        <Table.Thead className={lists.head}>
          <Table.Tr>
            <Table.Th>{text.day}</Table.Th>
            {series.map(({ id, label }) => (
              <Table.Th key={id} className={lists.number}>
                {label}
              </Table.Th>
            ))}
            {isSum && <Table.Th className={lists.number}>{text.inAll}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.toReversed().map(({ day, values }) => (
            <Table.Tr key={day}>
              <Table.Th scope="row" fw={400} className={lists.quiet}>
                <LinkAnchor to="/calls" search={{ assistant, from: day, to: day }} inherit>
                  {formatLongDay(day)}
                </LinkAnchor>
              </Table.Th>
              {series.map(({ id }) => (
                <Table.Td key={id} className={lists.number}>
                  {formatValue(values.get(id))}
                </Table.Td>
              ))}
              {isSum && (
                <Table.Td className={lists.number}>
                  {format([...values.values()].reduce((sum, value) => sum + value, 0))}
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
