import { Badge, Group, Menu, Table, Text, VisuallyHidden } from '@mantine/core';
import { memo, useState } from 'react';
import { Can } from '../../api/identity.ts';
import type { Version } from '../../api/types.ts';
import { common } from '../../strings/common.ts';
import { versions as text } from '../../strings/versions.ts';
import { lazyComponent } from '../../ui/loading/lazy.tsx';
import list from '../../ui/table/list.module.css';
import { DangerItem, RowMenu } from '../../ui/table/row-menu.tsx';
import type { RowPosition } from '../../ui/table/use-virtual-rows.ts';
import { VirtualRow, VirtualTable } from '../../ui/table/virtual-table.tsx';
import { Time } from '../../ui/text/time.tsx';
import type { AssistantWithEtag } from '../queries.ts';
import type { Pointer } from './queries.ts';
import classes from './versions.module.css';

const loadDialogs = () => import('./version-dialogs.tsx');
const CompareDialog = lazyComponent(loadDialogs, 'CompareDialog');
const RestoreDialog = lazyComponent(loadDialogs, 'RestoreDialog');
const MakeLiveDialog = lazyComponent(loadDialogs, 'MakeLiveDialog');
const DeleteVersion = lazyComponent(loadDialogs, 'DeleteVersion');

interface Props {
  current: AssistantWithEtag;
  pointer: Pointer;
  versions: Version[];
  hasMore: boolean;
}

type Action = 'compare' | 'restore' | 'live' | 'delete';

/** Table of the versions, with a menu for each. */
export function VersionTable({ current, pointer, versions, hasMore }: Props) {
  const [chosen, choose] = useState<{ action: Action; version: number }>();
  const close = () => choose(undefined);
  const dialog = chosen && { current, version: chosen.version, onClose: close };
  return (
    <>
      <VirtualTable
        label={text.list}
        items={versions}
        getKey={({ version }) => String(version)}
        hasMore={hasMore}
        head={
          <>
            <Table.Th>{text.column.version}</Table.Th>
            <Table.Th w={84} className={list.number}>
              {text.column.share}
            </Table.Th>
            <Table.Th w={130} visibleFrom="sm">
              {text.column.published}
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
              <VersionRow key={item.version} version={item} onChoose={choose} {...place} />
            ))}
          </tbody>
        )}
      </VirtualTable>
      {dialog && chosen.action === 'compare' && <CompareDialog {...dialog} />}
      {dialog && chosen.action === 'restore' && <RestoreDialog {...dialog} />}
      {dialog && chosen.action === 'delete' && <DeleteVersion {...dialog} />}
      {dialog && chosen.action === 'live' && (
        <MakeLiveDialog assistantId={current.assistant.id} pointer={pointer} version={chosen.version} onClose={close} />
      )}
    </>
  );
}

interface RowProps extends RowPosition {
  version: Version;
  onChoose: (chosen: { action: Action; version: number }) => void;
}

/** Row of a version. Memoized, so that scrolling does not re-render it. */
const VersionRow = memo(function VersionRow({ version: one, onChoose, ...place }: RowProps) {
  const { version, note, weight, published_by, created_at } = one;
  return (
    <VirtualRow {...place}>
      <td>
        <Group gap="xs">
          <Text size="sm" fw={500} span>
            {text.label(version)}
          </Text>
          {weight > 0 && <Badge color="green">{text.liveBadge}</Badge>}
          <Text size="xs" c="dimmed" span className={classes.note}>
            {text.by(published_by)}
          </Text>
          <Text size="xs" c="dimmed" span hiddenFrom="sm">
            <Time at={created_at} />
          </Text>
        </Group>
        <Text size="sm" c={note ? undefined : 'dimmed'} className={classes.note}>
          {note ?? text.noNote}
        </Text>
      </td>
      <td className={list.number}>{weight > 0 ? text.percent(weight) : common.unknown}</td>
      <td className={`mantine-visible-from-sm ${list.quiet}`}>
        <Time at={created_at} />
      </td>
      <td>
        <RowMenu label={text.actionsLabel(version)}>
          <Menu.Item onClick={() => onChoose({ action: 'compare', version })}>{text.compare}</Menu.Item>
          <Can do="write">
            <Menu.Item onClick={() => onChoose({ action: 'restore', version })}>{text.restore}</Menu.Item>
            {weight < 100 && (
              <Menu.Item onClick={() => onChoose({ action: 'live', version })}>{text.makeLive}</Menu.Item>
            )}
            {weight === 0 && (
              <DangerItem onClick={() => onChoose({ action: 'delete', version })}>{text.delete}</DangerItem>
            )}
          </Can>
        </RowMenu>
      </td>
    </VirtualRow>
  );
});
