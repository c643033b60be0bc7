import { notifications } from '@mantine/notifications';
import { common } from '../../strings/common.ts';
import { describeError, type ErrorDescription } from './describe-error.ts';

/** Notifies the user that something succeeded. */
export const notifyDone = (message: string): void => {
  notifications.show({ message, color: 'green', closeButtonProps: { 'aria-label': common.close } });
};

function showFailure({ title, advice, details, requestId }: ErrorDescription): void {
  notifications.show({
    title,
    message: [...details, advice, ...(requestId ? [`${common.requestId}: ${requestId}`] : [])].join(' '),
    color: 'red',
    autoClose: false,
    role: 'alert',
    closeButtonProps: { 'aria-label': common.close },
  });
}

/** Notifies the user that something failed, until dismissed. For errors that have no place on the page. */
export const notifyFailed = (error: unknown): void => showFailure(describeError(error));

/** Notifies the user that only a part succeeded: `what` did not, and why. */
export const notifyPartialFailure = (what: string, error: unknown): void =>
  showFailure({ ...describeError(error), title: what });
