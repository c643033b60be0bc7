import { EmptyState, Paper } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  title: string;
  icon?: ReactNode;
  /** What it is for, in a sentence. */
  children?: ReactNode;
  /** What to do next. */
  action?: ReactNode;
}

/** Where there is nothing yet: what will be here, and how to begin. */
export function Empty({ title, icon, children, action }: Props) {
  return (
    <Paper py="xl" px="md">
      <EmptyState title={title} description={children} icon={icon} withIndicatorBackground={icon !== undefined}>
        {action && <EmptyState.Actions>{action}</EmptyState.Actions>}
      </EmptyState>
    </Paper>
  );
}
