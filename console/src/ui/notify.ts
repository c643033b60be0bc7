import { notifications } from '@mantine/notifications';
import { common } from '../strings/common.ts';
import { told } from './told.ts';

/** Says in a corner that something was done. */
export const notifyDone = (message: string): void => {
  notifications.show({ message, color: 'green', closeButtonProps: { 'aria-label': common.close } });
};

/** Says in a corner, until it is closed, that something failed; for what has no place on the page to say so. */
export function notifyFailed(error: unknown): void {
  const { title, advice, details, requestId } = told(error);
  notifications.show({
    title,
    message: [...details, advice, ...(requestId ? [`${common.requestId}: ${requestId}`] : [])].join(' '),
    color: 'red',
    autoClose: false,
    role: 'alert',
    closeButtonProps: { 'aria-label': common.close },
  });
}
