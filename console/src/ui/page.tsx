import { Box, Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { common } from '../strings/common.ts';
import classes from './page.module.css';
import { nameToShow } from './visible.ts';

interface Props {
  title: string;
  /** One line below the title. */
  description?: ReactNode;
  /** What one can do here; the most likely last. */
  actions?: ReactNode;
  /** Keeps title and actions in sight on a long page. */
  isSticky?: boolean;
  children: ReactNode;
}

/** A page: its title, in the tab too, what one can do there, and what it shows. Its heading takes the focus (app/focus.ts). */
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
          {nameToShow(title)}
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
