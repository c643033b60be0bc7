import { EllipsisHorizontalIcon } from '@heroicons/react/24/outline';
import { ActionIcon, Menu, type MenuItemProps } from '@mantine/core';
import type { MouseEventHandler, ReactNode } from 'react';

/** What can be done with a row of a list, behind three dots: items of Mantine's menu. */
export const RowMenu = ({ label, children }: { label: string; children: ReactNode }) => (
  <Menu position="bottom-end" shadow="md">
    <Menu.Target>
      <ActionIcon variant="subtle" color="gray" aria-label={label}>
        <EllipsisHorizontalIcon width={20} aria-hidden />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>{children}</Menu.Dropdown>
  </Menu>
);

/** What cannot be undone, in such a menu. Mantine's own red has too little contrast there. */
export const DangerItem = (props: MenuItemProps & { onClick: MouseEventHandler<HTMLButtonElement> }) => (
  <Menu.Item color="var(--mantine-color-error)" {...props} />
);
