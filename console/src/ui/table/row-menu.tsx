import { EllipsisHorizontalIcon } from '@heroicons/react/24/outline';
import { ActionIcon, Menu, type MenuItemProps } from '@mantine/core';
import type { MouseEventHandler, ReactNode } from 'react';

/** Menu with the actions of a list row, behind three dots. Takes Mantine's menu items. */
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

/** Menu item for an irreversible action. Mantine's red has too little contrast there. */
export const DangerItem = (props: MenuItemProps & { onClick: MouseEventHandler<HTMLButtonElement> }) => (
  <Menu.Item color="var(--mantine-color-error)" {...props} />
);
