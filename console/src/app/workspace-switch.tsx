import { ChevronUpDownIcon, UserGroupIcon } from '@heroicons/react/24/outline';
import { Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import type { Identity } from '../api/identity.ts';
import { chooseWorkspace, toWorkspaceAddress } from '../auth/workspace.ts';
import { shell as text } from '../strings/shell.ts';
import { toVisibleName } from '../ui/text/visible-text.ts';
import classes from './shell.module.css';

/**
 * Menu that opens the console in another of the user's workspaces. Loads the page again, so that nothing of the
 * former workspace stays, and so that the browser asks about unsaved changes.
 */
export function WorkspaceSwitch({ identity: { workspace, workspaces } }: { identity: Identity }) {
  const getLabel = (id: string | null) => (id === null ? text.personal : toVisibleName(id));
  return (
    <Menu position="bottom-start" shadow="md">
      <Menu.Target>
        <UnstyledButton className={`${classes.link} ${classes.switch}`}>
          <UserGroupIcon className={classes.icon} aria-hidden />
          <VisuallyHidden>{text.workspace}</VisuallyHidden>
          <Text size="sm" fw={500} truncate flex={1} dir="auto" span>
            {getLabel(workspace)}
          </Text>
          <ChevronUpDownIcon className={classes.icon} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className={classes.workspaces}>
        {[...workspaces, null].map((id) => (
          <Menu.Item
            key={id ?? ''}
            component="a"
            href={toWorkspaceAddress(id)}
            onClick={() => chooseWorkspace(id)}
            dir="auto"
            aria-current={id === workspace || undefined}
          >
            {getLabel(id)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
