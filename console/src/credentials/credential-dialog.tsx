import { Alert, Autocomplete, Button, Combobox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Credential } from '../api/types.ts';
import { useOnce } from '../api/use-once.ts';
import { common } from '../strings/common.ts';
import { credentials as text } from '../strings/credentials.ts';
import { Dialog, useHold } from '../ui/dialog.tsx';
import { FormFailure, showFaults } from '../ui/form-failure.tsx';
import { notifyDone } from '../ui/notify.ts';
import { SecretInput } from '../ui/secret-input.tsx';
import { credentialsQuery, saveCredential } from './queries.ts';
import { knownServices, replacedBy, usesOf } from './services.ts';

interface Props {
  /** The credential whose key is replaced; a new one without. */
  replaced?: Credential;
  /** Those that there are. */
  credentials: readonly Credential[];
  opened: boolean;
  onClose: () => void;
}

const fields = ['service_type', 'name', 'api_key'] as const;

/** Adds a credential, or replaces the key of one. */
export function CredentialDialog({ opened, onClose, ...rest }: Props) {
  const { replaced } = rest;
  const title = replaced ? text.replaceTitle(replaced.service_type, replaced.name) : text.add;
  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      <CredentialForm {...rest} onClose={onClose} />
    </Dialog>
  );
}

const filled = (value: string) => (value.trim() === '' ? common.needed : null);

/** In a component of its own, so that the key is gone with it when the dialog closes. */
function CredentialForm({ replaced, credentials, onClose }: Omit<Props, 'opened'>) {
  const cache = useQueryClient();
  const [place, setPlace] = useState({ service_type: '', name: 'default' });
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { service_type: '', name: 'default', ...replaced, api_key: '' },
    validate: { service_type: filled, name: filled, api_key: filled },
    onValuesChange: ({ service_type, name }) => setPlace({ service_type, name }),
  });
  const saving = useOnce({
    // Takes no variables, and is forgotten at once: the cache of mutations must not keep a key.
    mutationFn: () => {
      const { service_type, name, api_key } = form.getValues();
      return saveCredential(
        replaced
          ? { service_type: replaced.service_type, name: replaced.name, api_key }
          : { service_type: service_type.trim(), name: name.trim(), api_key },
      );
    },
    gcTime: 0,
    onSuccess: async () => {
      onClose();
      notifyDone(replaced ? text.replaced : text.saved);
      await cache.invalidateQueries(credentialsQuery);
    },
    onError: (error) => showFaults(form, error, fields),
  });
  useHold(saving.isPending);
  const overwritten = replaced ? undefined : replacedBy(credentials, place.service_type, place.name);
  return (
    <form onSubmit={form.onSubmit(() => saving.mutate())} noValidate autoComplete="off">
      <Stack>
        {replaced ? (
          <Text size="sm">{text.replaceText}</Text>
        ) : (
          <>
            <Autocomplete
              {...form.getInputProps('service_type')}
              key={form.key('service_type')}
              label={text.service}
              description={text.serviceHelp}
              data={knownServices}
              rightSection={<Combobox.Chevron />}
              rightSectionPointerEvents="none"
              renderOption={({ option: { value } }) => (
                <Group gap="xs">
                  <Text size="sm">{value}</Text>
                  <Text size="xs" c="dimmed">
                    {usesOf(value)
                      .map((use) => text.use[use])
                      .join(', ')}
                  </Text>
                </Group>
              )}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              required
              data-autofocus
            />
            <TextInput
              {...form.getInputProps('name')}
              key={form.key('name')}
              label={text.name}
              description={text.nameHelp}
              autoComplete="off"
              required
            />
          </>
        )}
        <SecretInput
          {...form.getInputProps('api_key')}
          key={form.key('api_key')}
          label={text.key}
          description={text.keyHelp}
          required
          data-autofocus={replaced ? true : undefined}
        />
        {overwritten && (
          <Alert color="yellow" role="status">
            {text.overwrites(overwritten.masked_key)}
          </Alert>
        )}
        <FormFailure error={saving.error} fields={replaced ? ['api_key'] : fields} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={saving.isPending}>
            {common.cancel}
          </Button>
          <Button type="submit" loading={saving.isPending}>
            {replaced || overwritten ? text.replace : text.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
