import { EmptyState, Paper } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  title: string;
  icon?: ReactNode;
  /** Explains in a sentence what the list is for. */
  children?: ReactNode;
  /** Next step, such as a button that creates the first item. */
  action?: ReactNode;
}

/** Placeholder for an empty list: explains what belongs here and how to begin. */
export function Empty({ title, icon, children, action }: Props) {
  return (
    <Paper py="xl" px="md">
      <EmptyState title={title} description={children} icon={icon} withIndicatorBackground={icon !== undefined}>
        {action && <EmptyState.Actions>{action}</EmptyState.Actions>}
      </EmptyState>
    </Paper>
  );
}
