import { Modal as MantineModal, type ModalProps } from '@mantine/core';

/** Mantine's dialog with the console's styles. A separate file, so that it loads after the first page (dialog.tsx). */
export function Modal(props: ModalProps) {
  return (
    <MantineModal
      centered
      {...props}
      styles={{ title: { fontWeight: 600 } }}
      // The dialog's <header> is not the page's.
      attributes={{ header: { role: 'presentation' } }}
    />
  );
}
