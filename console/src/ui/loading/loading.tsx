import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { common } from '../../strings/common.ts';

/** Skeleton lines, shown while content loads. */
export function Loading({ rows = 5, height = 44 }: { rows?: number; height?: number }) {
  return (
    <Stack gap="sm" role="status">
      <VisuallyHidden>{common.loading}</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all rows are alike
        <Skeleton key={row} height={height} />
      ))}
    </Stack>
  );
}
