import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { IssuedApiKey } from '../api/types.ts';
import { type ExclusiveMutation, useExclusiveMutation } from '../api/use-exclusive-mutation.ts';
import { Dialog, usePreventClose } from '../ui/dialog/dialog.tsx';
import { IssuedKey } from './issued-key.tsx';
import { keysQuery } from './queries.ts';

/** Mutation that issues a key. `mutate` takes the function that sends the request. */
export type Issuing = ExclusiveMutation<IssuedApiKey, () => Promise<IssuedApiKey>>;

interface Props {
  title: string;
  opened: boolean;
  onClose: () => void;
  /** Form shown first. */
  children: (issuing: Issuing) => ReactNode;
}

/**
 * Dialog that asks for the properties of a new key, then shows the key. Cannot be dismissed once the request is sent:
 * the key is shown only once.
 */
export const IssuingDialog = ({ title, opened, onClose, children }: Props) => (
  <Dialog title={title} opened={opened} onClose={onClose}>
    <Steps onDone={onClose}>{children}</Steps>
  </Dialog>
);

/** A separate component, so that closing the dialog discards the key. */
function Steps({ children, onDone }: Pick<Props, 'children'> & { onDone: () => void }) {
  const cache = useQueryClient();
  const issuing: Issuing = useExclusiveMutation({
    mutationFn: (issue) => issue(),
    // The response contains the key: do not cache it.
    gcTime: 0,
    onSuccess: () => void cache.invalidateQueries(keysQuery),
  });
  usePreventClose(issuing.isPending || issuing.isSuccess);
  return issuing.data ? <IssuedKey issued={issuing.data} onDone={onDone} /> : children(issuing);
}
