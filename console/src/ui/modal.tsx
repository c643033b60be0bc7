import { Modal as MantineModal, type ModalProps } from '@mantine/core';

/** Mantine's dialog as it looks here. In a file of its own, so that it comes after the first page (dialog.tsx). */
export function Modal(props: ModalProps) {
  return (
    <MantineModal
      centered
      {...props}
      styles={{ title: { fontWeight: 600 } }}
      // Its <header> is not the page's.
      attributes={{ header: { role: 'presentation' } }}
    />
  );
}
