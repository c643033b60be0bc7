import { Badge, Loader } from '@mantine/core';
import type { KnowledgeBase } from '../api/types.ts';
import { knowledge as text } from '../strings/knowledge.ts';

const colors: Record<KnowledgeBase['status'], string> = { ready: 'green', processing: 'gray', failed: 'red' };

/** Status of a document. Screen readers announce changes. */
export const Status = ({ status }: Pick<KnowledgeBase, 'status'>) => (
  <Badge
    color={colors[status]}
    role="status"
    leftSection={status === 'processing' ? <Loader size={10} color="gray" aria-hidden /> : undefined}
  >
    {text.status[status]}
  </Badge>
);
