import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type ExclusiveMutation, useExclusiveMutation } from '../../api/use-exclusive-mutation.ts';
import { Dialog, usePreventClose } from '../dialog/dialog.tsx';
import { type Issued, IssuedSecret, type SecretTexts } from './issued-secret.tsx';

/** Mutation that issues a secret. `mutate` takes the function that sends the request. */
export type Issuing = ExclusiveMutation<Issued, () => Promise<Issued>>;

interface Props {
  title: string;
  text: SecretTexts;
  /** Query that lists what was issued. */
  listKey: QueryKey;
  opened: boolean;
  onClose: () => void;
  /** Form shown first. */
  children: (issuing: Issuing) => ReactNode;
}

/**
 * Dialog that asks for the properties of something with a secret, then shows the secret. Cannot be dismissed once the
 * request is sent: the secret is shown only once.
 */
export const IssuingDialog = ({ title, opened, onClose, ...steps }: Props) => (
  <Dialog title={title} opened={opened} onClose={onClose}>
    <Steps onDone={onClose} {...steps} />
  </Dialog>
);

/** A separate component, so that closing the dialog discards the secret. */
function Steps({
  children,
  text,
  listKey,
  onDone,
}: Pick<Props, 'children' | 'text' | 'listKey'> & { onDone: () => void }) {
  const cache = useQueryClient();
  const issuing: Issuing = useExclusiveMutation({
    mutationFn: (issue) => issue(),
    // The response contains the secret: do not cache it.
    gcTime: 0,
    onSuccess: () => void cache.invalidateQueries({ queryKey: listKey }),
  });
  usePreventClose(issuing.isPending || issuing.isSuccess);
  return issuing.data ? <IssuedSecret issued={issuing.data} text={text} onDone={onDone} /> : children(issuing);
}
