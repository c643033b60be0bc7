import { Alert, Autocomplete, Button, Combobox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Credential } from '../api/types.ts';
import { useExclusiveMutation } from '../api/use-exclusive-mutation.ts';
import { common } from '../strings/common.ts';
import { credentials as text } from '../strings/credentials.ts';
import { Dialog, usePreventClose } from '../ui/dialog/dialog.tsx';
import { FormFailure, showFaults } from '../ui/feedback/form-failure.tsx';
import { notifyDone } from '../ui/feedback/notify.ts';
import { SecretInput } from '../ui/input/secret-input.tsx';
import { credentialsQuery, saveCredential } from './queries.ts';
import { findReplaced, knownServices, listUses } from './services.ts';

interface Props {
  /** Credential to replace the key of. Without it, the dialog adds one. */
  replaced?: Credential;
  /** Existing credentials. */
  credentials: readonly Credential[];
  opened: boolean;
  onClose: () => void;
}

const fields = ['service_type', 'name', 'api_key'] as const;

/** Dialog that adds a credential, or replaces its key. */
export function CredentialDialog({ opened, onClose, ...rest }: Props) {
  const { replaced } = rest;
  const title = replaced ? text.replaceTitle(replaced.service_type, replaced.name) : text.add;
  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      <CredentialForm {...rest} onClose={onClose} />
    </Dialog>
  );
}

const requireText = (value: string) => (value.trim() === '' ? common.needed : null);

/** A separate component, so that closing the dialog discards the key. */
function CredentialForm({ replaced, credentials, onClose }: Omit<Props, 'opened'>) {
  const cache = useQueryClient();
  const [place, setPlace] = useState({ service_type: '', name: 'default' });
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { service_type: '', name: 'default', ...replaced, api_key: '' },
    validate: { service_type: requireText, name: requireText, api_key: requireText },
    onValuesChange: ({ service_type, name }) => setPlace({ service_type, name }),
  });
  const saving = useExclusiveMutation({
    // Takes no variables and is never cached, so that the mutation cache does not hold the key.
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
  usePreventClose(saving.isPending);
  const overwritten = replaced ? undefined : findReplaced(credentials, place.service_type, place.name);
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
                    {listUses(value)
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
