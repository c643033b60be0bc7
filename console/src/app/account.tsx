import { ArrowRightStartOnRectangleIcon, ChevronUpDownIcon } from '@heroicons/react/24/outline';
import { Avatar, Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useSession } from '../auth/session-context.ts';
import { shell as text } from '../strings/shell.ts';
import { ColorScheme } from './color-scheme.tsx';
import classes from './shell.module.css';

/** Menu of the signed-in user: colour scheme and sign-out. */
export function Account() {
  const { name, signOut } = useSession();
  return (
    <Menu width="target" position="top" shadow="md">
      <Menu.Target>
        <UnstyledButton className={classes.link} w="100%">
          <Avatar name={name} size="sm" color="iris" variant="filled" aria-hidden />
          <VisuallyHidden>{text.account}</VisuallyHidden>
          <Text size="sm" fw={500} truncate flex={1}>
            {name}
          </Text>
          <ChevronUpDownIcon className={classes.icon} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{text.scheme}</Menu.Label>
        <ColorScheme />
        <Menu.Divider />
        <Menu.Item
          leftSection={<ArrowRightStartOnRectangleIcon className={classes.icon} aria-hidden />}
          onClick={signOut}
        >
          {text.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
