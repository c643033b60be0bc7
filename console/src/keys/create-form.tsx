import { Button, Checkbox, Group, Input, NumberInput, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { maxQuotaLimit, type Quota, quotas } from '../../../shared/quotas.ts';
import { type Scope, scopes } from '../../../shared/scopes.ts';
import type { NewApiKey } from '../api/types.ts';
import { useIdempotencyKey } from '../api/use-idempotency-key.ts';
import { common } from '../strings/common.ts';
import { keys as text } from '../strings/keys.ts';
import { quotas as quotaText } from '../strings/quotas.ts';
import { FormFailure, showFaults } from '../ui/feedback/form-failure.tsx';
import type { Issuing } from '../ui/issuing/issuing-dialog.tsx';
import { type ExpiryChoice, toExpiry } from './expiry.ts';
import { createKey } from './queries.ts';

interface Props {
  issuing: Issuing;
  onClose: () => void;
}

interface Values {
  name: string;
  scopes: Scope[];
  expiry: ExpiryChoice;
  expires_at: string;
  /** Limits per day; an empty text for none. */
  quota: Partial<Record<Quota, number | string>>;
}

const fields = ['name', 'scopes', 'expires_at'] as const;
const workerScopes: Scope[] = ['runtime', 'logs'];
const expiryChoices: Record<ExpiryChoice, string> = text.expiryChoice;
const choices = Object.entries(expiryChoices).map(([value, label]) => ({ value, label }));

/** Returns the limits that were entered, or null. */
function toQuota(entered: Values['quota']): NewApiKey['quota'] {
  const limits = Object.entries(entered).filter(([, limit]) => limit !== '');
  return limits.length > 0 ? Object.fromEntries(limits.map(([quota, limit]) => [quota, Number(limit)])) : null;
}

/** Form for a new key: name, permissions, expiry and limits. */
export function CreateForm({ issuing, onClose }: Props) {
  // One time for all attempts, so that retries send the same body.
  const [now] = useState(() => new Date());
  const form = useForm<Values>({
    initialValues: { name: '', scopes: workerScopes, expiry: 'never', expires_at: '', quota: {} },
    validate: {
      name: (name) => (name.trim() === '' ? common.needed : null),
      scopes: (chosen) => (chosen.length === 0 ? text.scopeNeeded : null),
      expires_at: (day, { expiry }) => (toExpiry(expiry, day, now) === undefined ? text.dayNeeded : null),
    },
  });
  const idempotencyKey = useIdempotencyKey();
  const create = (body: NewApiKey) =>
    createKey(body, idempotencyKey(body)).catch((error) => {
      showFaults(form, error, fields);
      throw error;
    });
  const submit = ({ name, scopes: chosen, expiry, expires_at: day, quota }: Values) => {
    const body = {
      name: name.trim(),
      scopes: scopes.filter((scope) => chosen.includes(scope)),
      expires_at: toExpiry(expiry, day, now) ?? null,
      quota: toQuota(quota),
    };
    issuing.mutate(() => create(body));
  };
  return (
    <form onSubmit={form.onSubmit(submit)} noValidate>
      <Stack>
        <TextInput
          {...form.getInputProps('name')}
          label={text.name}
          description={text.nameHelp}
          autoComplete="off"
          required
          data-autofocus
        />
        <Checkbox.Group {...form.getInputProps('scopes')} label={text.scopes} required>
          <Stack gap="sm" mt={6}>
            {[...workerScopes, ...scopes.filter((scope) => !workerScopes.includes(scope))].map((scope) => (
              <Checkbox key={scope} value={scope} label={text.scope[scope].name} description={text.scope[scope].help} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Select {...form.getInputProps('expiry')} label={text.expiry} data={choices} allowDeselect={false} />
        {form.values.expiry === 'date' && (
          <TextInput {...form.getInputProps('expires_at')} label={text.day} type="date" required />
        )}
        <Input.Wrapper label={quotaText.forKey} description={quotaText.forKeyHelp} labelElement="div">
          <SimpleGrid cols={{ base: 1, xs: 2 }} mt={6} spacing="sm">
            {quotas.map((quota) => (
              <NumberInput
                key={quota}
                {...form.getInputProps(`quota.${quota}`)}
                label={quotaText.name[quota]}
                min={0}
                max={maxQuotaLimit}
                allowDecimal={false}
                thousandSeparator=","
              />
            ))}
          </SimpleGrid>
        </Input.Wrapper>
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
