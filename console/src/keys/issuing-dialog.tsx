import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { IssuedApiKey } from '../api/types.ts';
import { type Once, useOnce } from '../api/use-once.ts';
import { Dialog, useHold } from '../ui/dialog.tsx';
import { IssuedKey } from './issued-key.tsx';
import { keysQuery } from './queries.ts';

/** The request for a new key, given to `mutate`, and how far it is. */
export type Issuing = Once<IssuedApiKey, () => Promise<IssuedApiKey>>;

interface Props {
  title: string;
  opened: boolean;
  onClose: () => void;
  /** What is asked before. */
  children: (issuing: Issuing) => ReactNode;
}

/** Asks for what a new key takes, then shows it. It does not close by accident from the request on: the key is shown once. */
export const IssuingDialog = ({ title, opened, onClose, children }: Props) => (
  <Dialog title={title} opened={opened} onClose={onClose}>
    <Steps onDone={onClose}>{children}</Steps>
  </Dialog>
);

/** In a component of its own, so that the key is gone with it when the dialog closes. */
function Steps({ children, onDone }: Pick<Props, 'children'> & { onDone: () => void }) {
  const cache = useQueryClient();
  const issuing: Issuing = useOnce({
    mutationFn: (issue) => issue(),
    // What it answers has the key in it.
    gcTime: 0,
    onSuccess: () => void cache.invalidateQueries(keysQuery),
  });
  useHold(issuing.isPending || issuing.isSuccess);
  return issuing.data ? <IssuedKey issued={issuing.data} onDone={onDone} /> : children(issuing);
}
