import type { ModalProps } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { common } from '../strings/common.ts';

const load = () => import('./modal.tsx');
const Modal = lazy(async () => ({ default: (await load()).Modal }));

/** Has the dialog's code at hand before it is needed, as when the network is gone. */
export const preloadDialog = (): void => void load();

/** A dialog above the page, which is there while `opened`. Escape and its cross call `onClose`. */
export function Dialog(props: Omit<ModalProps, 'styles' | 'attributes' | 'closeButtonProps'>) {
  return (
    props.opened && (
      <Suspense>
        <Modal {...props} closeButtonProps={{ 'aria-label': common.close }} />
      </Suspense>
    )
  );
}
