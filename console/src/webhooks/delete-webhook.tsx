import { useNavigate } from '@tanstack/react-router';
import type { Webhook } from '../api/types.ts';
import { webhooks as text } from '../strings/webhooks.ts';
import { ConfirmByTyping } from '../ui/dialog/confirm-by-typing.tsx';
import { deleteWebhook, webhooksQuery } from './queries.ts';

interface Props {
  webhook: Webhook;
  opened: boolean;
  onClose: () => void;
}

/** Deletes a webhook after the user has typed its host. */
export function DeleteWebhook({ webhook: { id, url }, opened, onClose }: Props) {
  const navigate = useNavigate();
  return (
    <ConfirmByTyping
      title={text.removeTitle}
      expected={new URL(url).host}
      action={text.remove}
      opened={opened}
      onClose={onClose}
      run={() => deleteWebhook(id)}
      doneMessage={text.removed}
      onDone={() => navigate({ to: '/webhooks' })}
      removeFromCache={(cache) => cache.invalidateQueries({ ...webhooksQuery, exact: true })}
    >
      {text.removeText}
    </ConfirmByTyping>
  );
}
