import { Button, Group, Radio, Stack, Text, Textarea } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useExclusiveMutation } from '../../api/use-exclusive-mutation.ts';
import { useIdempotencyKey } from '../../api/use-idempotency-key.ts';
import { common } from '../../strings/common.ts';
import { versions as text } from '../../strings/versions.ts';
import { Dialog, usePreventClose } from '../../ui/dialog/dialog.tsx';
import { notifyDone } from '../../ui/feedback/notify.ts';
import { type AssistantWithEtag, refetchAssistant } from '../queries.ts';
import { Differences } from './differences.tsx';
import { publishDraft, refreshVersions } from './queries.ts';
import { WriteFailure } from './write-failure.tsx';

const maxNoteCharacters = 500;

/** Changes that have to be saved before the draft can be published. */
interface Unsaved {
  save: () => void;
  isSaving: boolean;
  /** Why they could not be saved. */
  failure: ReactNode;
}

interface Props {
  /** The saved draft. */
  base: AssistantWithEtag;
  unsaved: Unsaved | undefined;
  onClose: () => void;
}

/** Dialog that publishes the draft, after its changes are saved. */
export function PublishDialog({ base, unsaved, onClose }: Props) {
  const isNarrow = useMediaQuery('(max-width: 48em)');
  return (
    <Dialog opened onClose={onClose} title={text.publishTitle} size="48rem" fullScreen={isNarrow}>
      {unsaved ? <SaveFirst {...unsaved} onClose={onClose} /> : <PublishForm base={base} onClose={onClose} />}
    </Dialog>
  );
}

function SaveFirst({ save, isSaving, failure, onClose }: Unsaved & Pick<Props, 'onClose'>) {
  usePreventClose(isSaving);
  return (
    <Stack>
      <Text size="sm">{text.saveFirst}</Text>
      {failure}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} disabled={isSaving}>
          {common.cancel}
        </Button>
        <Button onClick={save} loading={isSaving} data-autofocus>
          {text.saveAndContinue}
        </Button>
      </Group>
    </Stack>
  );
}

function PublishForm({ base, onClose }: Omit<Props, 'unsaved'>) {
  const { assistant, etag } = base;
  const cache = useQueryClient();
  const getIdempotencyKey = useIdempotencyKey();
  const [note, setNote] = useState('');
  const [when, setWhen] = useState<'now' | 'later'>('now');
  const { mutate, isPending, error, reset } = useExclusiveMutation({
    mutationFn: () => {
      const body = { note: note.trim() || null, live: when === 'now' };
      return publishDraft(base, body, getIdempotencyKey({ ...body, etag }));
    },
    onSuccess: async ({ version, note: stored, weight }) => {
      onClose();
      const isLive = weight === 100;
      const isNew = stored === (note.trim() || null);
      notifyDone(isNew ? text.published(version, isLive) : text.publishedBefore(version, isLive));
      await refreshVersions(cache);
    },
  });
  const loading = useExclusiveMutation({
    mutationFn: () => refetchAssistant(cache, assistant.id),
    onSuccess: reset,
  });
  usePreventClose(isPending);
  const publish = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <form onSubmit={publish}>
      <Stack>
        <Stack gap="xs" component="section" aria-label={text.whatChanges}>
          <Text size="sm" fw={500}>
            {text.whatChanges}
          </Text>
          {assistant.live ? (
            <Differences assistantId={assistant.id} version="draft" against="live" etag={etag} same={text.sameAsLive} />
          ) : (
            <Text size="sm">{text.firstTime}</Text>
          )}
        </Stack>
        <Textarea
          label={text.note}
          description={text.noteHint}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          maxLength={maxNoteCharacters}
          inputWrapperOrder={['label', 'description', 'input', 'error']}
          rightSection={null}
          autosize
          minRows={2}
          maxRows={8}
          dir="auto"
          data-autofocus
        />
        <Radio.Group label={text.when} value={when} onChange={(value) => setWhen(value === 'now' ? 'now' : 'later')}>
          <Stack gap="xs" mt="xs">
            <Radio value="now" label={text.atOnce} />
            <Radio value="later" label={text.notYet} />
          </Stack>
        </Radio.Group>
        <WriteFailure error={error ?? loading.error} onReload={() => loading.mutate()} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isPending}>
            {common.cancel}
          </Button>
          <Button type="submit" loading={isPending}>
            {text.publishIt}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
