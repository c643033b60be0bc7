import { XMarkIcon } from '@heroicons/react/24/outline';
import { ActionIcon, Tooltip } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { attach } from '../assistants/queries.ts';
import { knowledge as text } from '../strings/knowledge.ts';
import { notifyDone, notifyFailed } from '../ui/notify.ts';
import { detach, refresh } from './queries.ts';

interface Pair {
  assistantId: string;
  knowledgeBaseId: string;
}

/** Changes what is attached to what, has it read again, and says so with the name of the other end. */
function useChange(
  change: (assistantId: string, knowledgeBaseId: string) => Promise<unknown>,
  said: typeof text.attached,
) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ assistantId, knowledgeBaseId }: Pair & { name: string }) => change(assistantId, knowledgeBaseId),
    onSuccess: async (_, { name }) => {
      await refresh(cache);
      notifyDone(said(name));
    },
    onError: notifyFailed,
  });
}

/** Attaches documents to assistants. */
export const useAttaching = () => useChange(attach, text.attached);

/** A cross that detaches a document from an assistant. `label` says so, `name` is that of the other end. */
export function DetachButton({ label, ...detached }: Pair & { name: string; label: string }) {
  const detaching = useChange(detach, text.detached);
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={label}
        loading={detaching.isPending}
        onClick={() => detaching.mutate(detached)}
      >
        <XMarkIcon width={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
