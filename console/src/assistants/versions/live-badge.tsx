import { Badge } from '@mantine/core';
import type { Assistant } from '../../api/types.ts';
import { live as text } from '../../strings/live.ts';

/** Says what calls get of an assistant: its draft, or published versions. */
export function LiveBadge({ assistant: { live, has_unpublished_changes } }: { assistant: Assistant }) {
  const color = live === null ? 'gray' : has_unpublished_changes ? 'yellow' : 'green';
  const state = live === null ? text.draft : text.live(live.versions);
  return (
    <Badge
      color={color}
      component="span"
      h="auto"
      mih="var(--badge-height)"
      styles={{ label: { whiteSpace: 'normal' } }}
    >
      {has_unpublished_changes ? `${state} · ${text.unpublished}` : state}
    </Badge>
  );
}
