import type { ModalProps } from '@mantine/core';
import { createContext, use, useLayoutEffect, useState } from 'react';
import { common } from '../../strings/common.ts';
import { lazyComponent } from '../loading/lazy.tsx';

const Modal = lazyComponent(() => import('./modal.tsx'), 'Modal');

/** Loads the dialog's code ahead of time, so that dialogs open offline too. */
export const preloadDialog = (): void => void Modal.preload();

const PreventCloseContext = createContext<(isHeld: boolean) => void>(() => undefined);

/** Keeps the surrounding dialog open while `isHeld`, so that it can show the outcome of a pending request. */
export function usePreventClose(isHeld: boolean): void {
  const preventClose = use(PreventCloseContext);
  useLayoutEffect(() => {
    preventClose(isHeld);
    return () => preventClose(false);
  }, [preventClose, isHeld]);
}

type Props = Omit<ModalProps, 'styles' | 'attributes' | 'closeButtonProps' | 'closeOnClickOutside'>;

/**
 * Dialog above the page, rendered while `opened`. Escape and the close button call `onClose`, unless a component inside
 * uses `usePreventClose`. A click outside does not close it, because that would discard input.
 */
export function Dialog({ children, ...props }: Props) {
  const [isHeld, setHeld] = useState(false);
  return (
    props.opened && (
      <Modal
        closeOnEscape={!isHeld}
        withCloseButton={!isHeld}
        {...props}
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': common.close }}
      >
        <PreventCloseContext value={setHeld}>{children}</PreventCloseContext>
      </Modal>
    )
  );
}
