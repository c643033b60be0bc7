import type { ModalProps } from '@mantine/core';
import { createContext, use, useLayoutEffect, useState } from 'react';
import { common } from '../strings/common.ts';
import { later } from './later.tsx';

const Modal = later(() => import('./modal.tsx'), 'Modal');

/** Has the dialog's code at hand before it is needed, as when the network is gone. */
export const preloadDialog = (): void => void Modal.preload();

const Holding = createContext<(isHeld: boolean) => void>(() => undefined);

/** Keeps the dialog around it from being closed while `isHeld`: what a request under way comes to is told there. */
export function useHold(isHeld: boolean): void {
  const hold = use(Holding);
  useLayoutEffect(() => {
    hold(isHeld);
    return () => hold(false);
  }, [hold, isHeld]);
}

type Props = Omit<ModalProps, 'styles' | 'attributes' | 'closeButtonProps' | 'closeOnClickOutside'>;

/**
 * A dialog above the page, which is there while `opened`. Escape and its cross call `onClose`, unless something in it holds
 * it (`useHold`). A click beside it does not: what was typed would be gone.
 */
export function Dialog({ children, ...props }: Props) {
  const [isHeld, hold] = useState(false);
  return (
    props.opened && (
      <Modal
        closeOnEscape={!isHeld}
        withCloseButton={!isHeld}
        {...props}
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': common.close }}
      >
        <Holding value={hold}>{children}</Holding>
      </Modal>
    )
  );
}
