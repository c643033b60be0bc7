import { Box, Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { common } from '../../strings/common.ts';
import { toVisibleName } from '../text/visible-text.ts';
import classes from './page.module.css';

interface Props {
  title: string;
  /** One line below the title. */
  description?: ReactNode;
  /** Buttons for the page, the most likely one last. */
  actions?: ReactNode;
  /** Keeps the title and the actions visible while scrolling. */
  isSticky?: boolean;
  children: ReactNode;
}

/**
 * A page with its title, actions and content. Sets the tab's title too. Its heading takes the focus after a navigation
 * (app/focus-on-navigation.ts).
 */
export function Page({ title, description, actions, isSticky, children }: Props) {
  return (
    <>
      <title>{common.title(title)}</title>
      <Group
        justify="space-between"
        gap="sm"
        py="md"
        className={isSticky ? `${classes.head} ${classes.sticky}` : classes.head}
      >
        <Title order={1} tabIndex={-1} className={classes.title}>
          {toVisibleName(title)}
        </Title>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {description && (
        <Box c="dimmed" fz="sm" mb="lg">
          {description}
        </Box>
      )}
      {children}
    </>
  );
}
