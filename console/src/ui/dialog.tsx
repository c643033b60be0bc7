import type { ModalProps } from '@mantine/core';
import { common } from '../strings/common.ts';
import { later } from './later.tsx';

const Modal = later(() => import('./modal.tsx'), 'Modal');

/** Has the dialog's code at hand before it is needed, as when the network is gone. */
export const preloadDialog = (): void => void Modal.preload();

/** A dialog above the page, which is there while `opened`. Escape and its cross call `onClose`. */
export function Dialog(props: Omit<ModalProps, 'styles' | 'attributes' | 'closeButtonProps'>) {
  return props.opened && <Modal {...props} closeButtonProps={{ 'aria-label': common.close }} />;
}
