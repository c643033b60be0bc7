import { type ReactNode, useEffect, useState } from 'react';
import { onUserActivity } from './user-activity.ts';

/**
 * Shows notifications. Its code loads on the first user interaction; if that fails, on a later one. Notifications wait
 * until then.
 */
export function LazyNotifications() {
  const [notifications, setNotifications] = useState<ReactNode>(null);
  useEffect(() => {
    if (notifications) return;
    let isLoading = false;
    return onUserActivity(async () => {
      if (isLoading) return;
      isLoading = true;
      try {
        const { Notifications } = await import('../ui/feedback/notifications.tsx');
        setNotifications(<Notifications position="bottom-right" />);
      } catch {
        isLoading = false;
      }
    });
  }, [notifications]);
  return notifications;
}
