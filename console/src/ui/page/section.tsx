import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface Props {
  title: string;
  hint?: ReactNode;
  /** Shown next to the title. */
  actions?: ReactNode;
  children?: ReactNode;
}

/** Part of a page with its own heading. */
export function Section({ title, hint, actions, children }: Props) {
  const id = useId();
  return (
    <Paper p={{ base: 'md', sm: 'lg' }} component="section" aria-labelledby={id}>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Title order={2} size="md" id={id}>
          {title}
        </Title>
        {actions}
      </Group>
      {hint && (
        <Text size="sm" c="dimmed" component="div">
          {hint}
        </Text>
      )}
      {children && (
        <Stack gap="md" mt="md">
          {children}
        </Stack>
      )}
    </Paper>
  );
}
