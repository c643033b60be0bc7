import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { common } from '../strings/common.ts';

interface Props {
  title: string;
  /** One line below the title. */
  description?: ReactNode;
  /** What one can do here; the most likely last. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A page: its title, in the tab too, what one can do there, and what it shows. Its heading takes the focus (app/focus.ts). */
export function Page({ title, description, actions, children }: Props) {
  return (
    <>
      <title>{common.title(title)}</title>
      <Group justify="space-between" align="flex-start" mb="lg" gap="sm">
        <div style={{ minWidth: 0 }}>
          <Title order={1} tabIndex={-1} style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {description && (
            <Text c="dimmed" size="sm" mt={2} component="div">
              {description}
            </Text>
          )}
        </div>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </>
  );
}
