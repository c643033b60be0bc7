import { XMarkIcon } from '@heroicons/react/24/outline';
import { ActionIcon, Tooltip } from '@mantine/core';
import { type UseMutationOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { Can } from '../api/identity.ts';
import { refreshKnowledge } from '../api/refresh.ts';
import { useExclusiveMutation } from '../api/use-exclusive-mutation.ts';
import { attachKnowledgeBase } from '../assistants/queries.ts';
import { knowledge as text } from '../strings/knowledge.ts';
import { notifyDone, notifyFailed } from '../ui/feedback/notify.ts';
import { toVisibleName } from '../ui/text/visible-text.ts';
import { detachKnowledgeBase } from './queries.ts';

interface Attachment {
  assistantId: string;
  knowledgeBaseId: string;
}

/**
 * Returns a mutation that attaches or detaches. Refreshes the affected reads, then notifies with the name of the other
 * side.
 */
function useAttachmentChange(
  change: (assistantId: string, knowledgeBaseId: string) => Promise<unknown>,
  getMessage: typeof text.attached,
): UseMutationOptions<unknown, Error, Attachment & { name: string }> {
  const cache = useQueryClient();
  return {
    mutationFn: ({ assistantId, knowledgeBaseId }) => change(assistantId, knowledgeBaseId),
    onSuccess: async (_, { name }) => {
      await refreshKnowledge(cache);
      notifyDone(getMessage(toVisibleName(name)));
    },
    onError: notifyFailed,
  };
}

/** Returns a mutation that attaches documents. Several may run concurrently. */
export const useAttach = () => useMutation(useAttachmentChange(attachKnowledgeBase, text.attached));

/** Button that detaches a document from an assistant. `name` is the name of the other side. */
export function DetachButton({ label, ...detached }: Attachment & { name: string; label: string }) {
  const detaching = useExclusiveMutation(useAttachmentChange(detachKnowledgeBase, text.detached));
  return (
    <Can do="write">
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
    </Can>
  );
}
