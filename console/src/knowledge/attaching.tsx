import { XMarkIcon } from '@heroicons/react/24/outline';
import { ActionIcon, Tooltip } from '@mantine/core';
import { type UseMutationOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useOnce } from '../api/use-once.ts';
import { attach } from '../assistants/queries.ts';
import { knowledge as text } from '../strings/knowledge.ts';
import { notifyDone, notifyFailed } from '../ui/notify.ts';
import { nameToShow } from '../ui/visible.ts';
import { detach, refresh } from './queries.ts';

interface Pair {
  assistantId: string;
  knowledgeBaseId: string;
}

/** A change of what is attached to what, which has it read again, and says so with the name of the other end. */
function useChange(
  change: (assistantId: string, knowledgeBaseId: string) => Promise<unknown>,
  said: typeof text.attached,
): UseMutationOptions<unknown, Error, Pair & { name: string }> {
  const cache = useQueryClient();
  return {
    mutationFn: ({ assistantId, knowledgeBaseId }) => change(assistantId, knowledgeBaseId),
    onSuccess: async (_, { name }) => {
      await refresh(cache);
      notifyDone(said(nameToShow(name)));
    },
    onError: notifyFailed,
  };
}

/** Attaches documents to assistants: another one may be picked before the first is attached. */
export const useAttaching = () => useMutation(useChange(attach, text.attached));

/** A cross that detaches a document from an assistant. `label` says so, `name` is that of the other end. */
export function DetachButton({ label, ...detached }: Pair & { name: string; label: string }) {
  const detaching = useOnce(useChange(detach, text.detached));
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
