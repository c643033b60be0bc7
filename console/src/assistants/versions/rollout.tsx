import { Button, Group, NativeSelect, NumberInput, SimpleGrid, Slider, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Can } from '../../api/identity.ts';
import { useExclusiveMutation } from '../../api/use-exclusive-mutation.ts';
import { versions as text } from '../../strings/versions.ts';
import { notifyDone } from '../../ui/feedback/notify.ts';
import { lazyComponent } from '../../ui/loading/lazy.tsx';
import { Section } from '../../ui/page/section.tsx';
import { Time } from '../../ui/text/time.tsx';
import { LiveUsage } from './live-usage.tsx';
import { changeLive, type Pointer, refreshVersions } from './queries.ts';
import { areLive, getInitialSplit, type Split, setNewerWeight, toShares } from './shares.ts';
import { WriteFailure } from './write-failure.tsx';

const MakeLiveDialog = lazyComponent(() => import('./version-dialogs.tsx'), 'MakeLiveDialog');

interface Props {
  assistantId: string;
  pointer: Pointer;
  /** Numbers of the versions to choose from. */
  versions: readonly number[];
}

/** What calls get, with its numbers, and a form that shares the calls between two versions. */
export function Rollout({ assistantId, pointer, versions }: Props) {
  const { live } = pointer;
  const split = getInitialSplit(live, versions);
  // The version that is to get all calls; null is the draft.
  const [chosen, choose] = useState<number | null>();
  return (
    <Section
      title={text.whatCallsGet}
      hint={
        live ? (
          <>
            {text.getVersions(live.versions)} {text.since} <Time at={live.since} />
            {text.changedBy(live.changed_by)}
          </>
        ) : (
          text.getDraft
        )
      }
    >
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl" verticalSpacing="md">
        <Stack>
          <Can do="write">
            {/* A new form when somebody else has changed what is live. */}
            {split && (
              <SplitForm
                key={JSON.stringify([live, split.base])}
                initial={split}
                assistantId={assistantId}
                pointer={pointer}
                versions={versions}
              />
            )}
            {live && (
              <Group gap="xs">
                {live.versions.length > 1 &&
                  live.versions.map(({ version }) => (
                    <Button key={version} variant="default" size="xs" onClick={() => choose(version)}>
                      {text.giveAll(version)}
                    </Button>
                  ))}
                <Button variant="default" size="xs" onClick={() => choose(null)}>
                  {text.toDraft}
                </Button>
              </Group>
            )}
          </Can>
        </Stack>
        <LiveUsage assistantId={assistantId} live={live} />
      </SimpleGrid>
      {chosen !== undefined && (
        <MakeLiveDialog
          assistantId={assistantId}
          pointer={pointer}
          version={chosen}
          onClose={() => choose(undefined)}
        />
      )}
    </Section>
  );
}

function SplitForm({ initial, assistantId, pointer, versions }: Props & { initial: Split }) {
  const cache = useQueryClient();
  const [split, setSplit] = useState(initial);
  const shares = toShares(split);
  const [newer] = shares;
  const { mutate, isPending, error, reset } = useExclusiveMutation({
    mutationFn: () => changeLive(assistantId, pointer.etag, { versions: shares }),
    onSuccess: async () => {
      notifyDone(text.saved(shares));
      await refreshVersions(cache);
    },
  });
  const reloading = useExclusiveMutation({ mutationFn: () => refreshVersions(cache), onSuccess: reset });
  const save = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  const setWeight = (weight: number | string) => {
    if (typeof weight === 'number') setSplit((before) => setNewerWeight(before, weight));
  };
  const others = [...new Set([initial.other, ...versions])].filter((version) => version !== split.base);
  const label = text.shareOf(newer.version);
  return (
    <form onSubmit={save}>
      <Stack gap="sm">
        <div>
          <Text size="sm" fw={500}>
            {text.share}
          </Text>
          <Text size="sm" c="dimmed">
            {text.shareHint}
          </Text>
        </div>
        <NativeSelect
          label={text.other(split.base)}
          value={String(split.other)}
          onChange={({ currentTarget }) => setSplit({ ...split, other: Number(currentTarget.value) })}
          data={others
            .toSorted((a, b) => b - a)
            .map((version) => ({ value: String(version), label: text.label(version) }))}
        />
        <Group align="end" wrap="nowrap">
          <NumberInput
            label={label}
            value={newer.weight}
            onChange={setWeight}
            min={1}
            max={99}
            clampBehavior="strict"
            allowDecimal={false}
            suffix=" %"
            flex={1}
          />
          <Button type="submit" loading={isPending} disabled={areLive(pointer.live, shares)}>
            {text.saveShares}
          </Button>
        </Group>
        <Slider
          value={newer.weight}
          onChange={setWeight}
          min={1}
          max={99}
          label={null}
          thumbSize={24}
          thumbLabel={label}
        />
        <Text size="sm" role="status">
          {text.split(shares)}
        </Text>
        <WriteFailure error={error ?? reloading.error} onReload={() => reloading.mutate()} />
      </Stack>
    </form>
  );
}
