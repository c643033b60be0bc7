import { Paper, Table, Title } from '@mantine/core';
import type { Stats } from '../api/types.ts';
import { common } from '../strings/common.ts';
import { overview as text } from '../strings/overview.ts';
import lists from '../ui/table/list.module.css';
import classes from './overview.module.css';

interface Props {
  models: Stats['models'];
  /** Formats a cost. */
  format: (cost: number) => string;
}

/** What each model was used for, and its cost. */
export const ByModel = ({ models, format }: Props) => (
  <Paper component="section" style={{ overflow: 'hidden' }}>
    <Title order={2} size="sm" p="md">
      {text.byModel}
    </Title>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
    <section className={classes.table} tabIndex={0} aria-label={text.byModel}>
      <Table aria-label={text.byModel} stickyHeader>
        <Table.Thead className={lists.head}>
          <Table.Tr>
            <Table.Th>{text.model}</Table.Th>
            <Table.Th className={lists.number}>{text.used}</Table.Th>
            <Table.Th className={lists.number}>{text.cost}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {models.map((one) => (
            <Table.Tr key={`${one.kind}:${one.provider}/${one.model}`}>
              <Table.Td>{`${one.provider}/${one.model}`}</Table.Td>
              <Table.Td className={lists.number}>{text.formatUse(one)}</Table.Td>
              <Table.Td className={lists.number}>{one.cost === null ? common.unknown : format(one.cost)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  </Paper>
);
