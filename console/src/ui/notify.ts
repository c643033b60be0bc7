import { notifications } from '@mantine/notifications';
import { common } from '../strings/common.ts';
import { type Told, told } from './told.ts';

/** Says in a corner that something was done. */
export const notifyDone = (message: string): void => {
  notifications.show({ message, color: 'green', closeButtonProps: { 'aria-label': common.close } });
};

function tellFailure({ title, advice, details, requestId }: Told): void {
  notifications.show({
    title,
    message: [...details, advice, ...(requestId ? [`${common.requestId}: ${requestId}`] : [])].join(' '),
    color: 'red',
    autoClose: false,
    role: 'alert',
    closeButtonProps: { 'aria-label': common.close },
  });
}

/** Says in a corner, until it is closed, that something failed; for what has no place on the page to say so. */
export const notifyFailed = (error: unknown): void => tellFailure(told(error));

/** Says the same of what was done only in part: `what` was not, and why. */
export const notifyPartly = (what: string, error: unknown): void => tellFailure({ ...told(error), title: what });
