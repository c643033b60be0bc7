import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import type { Webhook } from '../api/types.ts';
import { useExclusiveMutation } from '../api/use-exclusive-mutation.ts';
import { common } from '../strings/common.ts';
import { webhooks as text } from '../strings/webhooks.ts';
import { Dialog, usePreventClose } from '../ui/dialog/dialog.tsx';
import { FormFailure, showFaults } from '../ui/feedback/form-failure.tsx';
import { notifyDone } from '../ui/feedback/notify.ts';
import { fields, toBody, toValues, type Values, validate, WebhookFields } from './fields.tsx';
import { updateWebhook, webhooksQuery } from './queries.ts';

interface Props {
  webhook: Webhook;
  opened: boolean;
  onClose: () => void;
}

/** Dialog that changes a webhook. */
export const EditWebhook = ({ opened, ...props }: Props) => (
  <Dialog title={text.editTitle} opened={opened} onClose={props.onClose}>
    <EditForm {...props} />
  </Dialog>
);

/** A separate component, so that closing the dialog discards what was entered. */
function EditForm({ webhook, onClose }: Omit<Props, 'opened'>) {
  const cache = useQueryClient();
  const form = useForm<Values>({ initialValues: toValues(webhook), validate });
  const { mutate, isPending, error } = useExclusiveMutation({
    mutationFn: (values: Values) => updateWebhook(webhook.id, toBody(values)),
    onSuccess: async () => {
      onClose();
      notifyDone(text.saved);
      await cache.invalidateQueries(webhooksQuery);
    },
    onError: (failure) => showFaults(form, failure, fields),
  });
  usePreventClose(isPending);
  return (
    <form onSubmit={form.onSubmit((values) => mutate(values))} noValidate>
      <Stack>
        <WebhookFields form={form} headerNames={webhook.headers} />
        <FormFailure error={error} fields={fields} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isPending}>
            {common.cancel}
          </Button>
          <Button type="submit" loading={isPending}>
            {text.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
