import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useIdempotencyKey } from '../api/use-idempotency-key.ts';
import { common } from '../strings/common.ts';
import { webhooks as text } from '../strings/webhooks.ts';
import { FormFailure, showFaults } from '../ui/feedback/form-failure.tsx';
import type { Issuing } from '../ui/issuing/issuing-dialog.tsx';
import { fields, toBody, toValues, type Values, validate, WebhookFields } from './fields.tsx';
import { createWebhook } from './queries.ts';

/** Form for a new webhook. Its secret is made by the service. */
export function CreateForm({ issuing, onClose }: { issuing: Issuing; onClose: () => void }) {
  const form = useForm<Values>({ initialValues: toValues(), validate });
  const idempotencyKey = useIdempotencyKey();
  const create = (values: Values) => {
    const { headers: _, ...withoutSecrets } = values;
    return createWebhook(toBody(values), idempotencyKey(withoutSecrets)).catch((error) => {
      showFaults(form, error, fields);
      throw error;
    });
  };
  return (
    <form onSubmit={form.onSubmit((values) => issuing.mutate(() => create(values)))} noValidate>
      <Stack>
        <WebhookFields form={form} />
        <FormFailure error={issuing.error} fields={fields} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={issuing.isPending}>
            {common.cancel}
          </Button>
          <Button type="submit" loading={issuing.isPending}>
            {text.make}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
