import type { Assistant } from '../../api/types.ts';

/** True if publishing changes what calls get. */
export const canPublish = ({ live, has_unpublished_changes }: Assistant): boolean =>
  live === null || has_unpublished_changes;
