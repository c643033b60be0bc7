import { NativeSelect, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Live } from '../../api/types.ts';
import { versions as text } from '../../strings/versions.ts';
import { ConfirmByTyping } from '../../ui/dialog/confirm-by-typing.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { type AssistantWithEtag, cacheUpdated, refetchAssistant } from '../queries.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { Differences } from './differences.tsx';
import { changeLive, deleteVersion, type Pointer, pointerQuery, refreshVersions, restoreVersion } from './queries.ts';
import { getWeight } from './shares.ts';

interface Props {
  current: AssistantWithEtag;
  version: number;
  onClose: () => void;
}

type Against = keyof typeof text.against;

/** Compares a version with the one before it, with what is live or with the draft. The older one comes first. */
export function CompareDialog({ current: { assistant, etag }, version, onClose }: Props) {
  const isNarrow = useMediaQuery('(max-width: 48em)');
  const [against, setAgainst] = useState<Against>('before');
  const isOnlyLive = getWeight(assistant.live, version) === 100;
  const props = { assistantId: assistant.id, isNamed: true };
  return (
    <Dialog opened onClose={onClose} title={text.compareTitle(version)} size="48rem" fullScreen={isNarrow}>
      <Stack>
        <NativeSelect
          label={text.compareWith}
          value={against}
          onChange={({ currentTarget }) => setAgainst(currentTarget.value as Against)}
          data={Object.entries(text.against).map(([value, label]) => ({ value, label }))}
          data-autofocus
        />
        {against === 'before' && <Differences {...props} version={version} />}
        {against === 'live' &&
          (isOnlyLive ? (
            <Text size="sm">{text.sameVersion}</Text>
          ) : (
            <Differences {...props} version={version} against="live" etag={etag} />
          ))}
        {against === 'draft' && <Differences {...props} version="draft" against={version} etag={etag} />}
      </Stack>
    </Dialog>
  );
}

/** Confirms that a version replaces the draft. */
export function RestoreDialog({ current, version, onClose }: Props) {
  const cache = useQueryClient();
  const { id, live } = current.assistant;
  return (
    <ConfirmDialog
      title={text.restoreTitle(version)}
      action={text.restoreIt}
      onClose={onClose}
      run={() => restoreVersion(current, version)}
      doneMessage={text.restored(version)}
      onDone={async (restored) => {
        await cacheUpdated(cache, restored);
        await refreshVersions(cache);
      }}
      onReload={() => refetchAssistant(cache, id)}
    >
      {text.restoreText} {live ? text.callsKeep(live.versions) : text.callsFollow}
    </ConfirmDialog>
  );
}

interface LiveProps {
  assistantId: string;
  pointer: Pointer;
  /** The version that all calls are to get, null for the draft. */
  version: number | null;
  onClose: () => void;
}

const explain = (version: number | null, live: Live | null) =>
  version === null ? text.toDraftText : text.makeLiveText(live?.versions);

/** Confirms that all calls get one version, or the draft. */
export function MakeLiveDialog({ assistantId, pointer, version, onClose }: LiveProps) {
  const cache = useQueryClient();
  return (
    <ConfirmDialog
      title={version === null ? text.toDraftTitle : text.makeLiveTitle(version)}
      action={version === null ? text.toDraftIt : text.makeLiveIt}
      onClose={onClose}
      run={() => changeLive(assistantId, pointer.etag, version === null ? { versions: [] } : { version })}
      doneMessage={version === null ? text.draftLive : text.madeLive(version)}
      onDone={() => refreshVersions(cache)}
      onReload={() => cache.refetchQueries(pointerQuery(assistantId))}
    >
      {explain(version, pointer.live)}
    </ConfirmDialog>
  );
}

/** Deletes a version after the user has typed its number. */
export const DeleteVersion = ({ current, version, onClose }: Props) => (
  <ConfirmByTyping
    title={text.deleteTitle(version)}
    expected={text.label(version)}
    action={text.deleteIt}
    opened
    onClose={onClose}
    run={() => deleteVersion(current.assistant.id, version)}
    doneMessage={text.deleted(version)}
    removeFromCache={refreshVersions}
  >
    {text.deleteText}
  </ConfirmByTyping>
);
