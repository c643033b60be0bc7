import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useExclusiveMutation } from '../api/use-exclusive-mutation.ts';
import { useIdempotencyKey } from '../api/use-idempotency-key.ts';
import { common } from '../strings/common.ts';
import { webhooks as text } from '../strings/webhooks.ts';
import { Dialog, usePreventClose } from '../ui/dialog/dialog.tsx';
import { FormFailure, showFaults } from '../ui/feedback/form-failure.tsx';
import { notifyDone } from '../ui/feedback/notify.ts';
import { toTimeRange } from '../ui/input/day.ts';
import { replayPeriod } from './queries.ts';

interface Props {
  id: string;
  opened: boolean;
  onClose: () => void;
}

const fields = ['from', 'to'] as const;

/** Dialog that sends the events of some days again. */
export const ReplayDialog = ({ opened, ...props }: Props) => (
  <Dialog title={text.replay} opened={opened} onClose={props.onClose}>
    <ReplayForm {...props} />
  </Dialog>
);

function ReplayForm({ id, onClose }: Omit<Props, 'opened'>) {
  const idempotencyKey = useIdempotencyKey();
  const form = useForm({
    initialValues: { from: '', to: '', only_failed: false },
    validate: { from: (from) => (from === '' ? text.dayNeeded : null) },
  });
  const { mutate, isPending, error } = useExclusiveMutation({
    mutationFn: ({ from, to, only_failed }: typeof form.values) => {
      const range = toTimeRange({ from, to: to || undefined });
      const body = { from: range.from ?? '', to: range.to, only_failed };
      return replayPeriod(id, body, idempotencyKey(body));
    },
    onSuccess: () => {
      onClose();
      notifyDone(text.replayed);
    },
    onError: (failure) => showFaults(form, failure, fields),
  });
  usePreventClose(isPending);
  return (
    <form onSubmit={form.onSubmit((values) => mutate(values))} noValidate>
      <Stack>
        <Text size="sm">{text.replayText}</Text>
        <Group grow>
          <TextInput {...form.getInputProps('from')} label={text.from} type="date" required data-autofocus />
          <TextInput {...form.getInputProps('to')} label={text.to} type="date" />
        </Group>
        <Checkbox {...form.getInputProps('only_failed', { type: 'checkbox' })} label={text.onlyFailed} />
        <FormFailure error={error} fields={fields} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isPending}>
            {common.cancel}
          </Button>
          <Button type="submit" loading={isPending}>
            {text.replayIt}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
