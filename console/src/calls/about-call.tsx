import { Anchor, Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { calls as text } from '../strings/calls.ts';
import { common } from '../strings/common.ts';
import { LinkAnchor } from '../ui/page/link.tsx';
import { Copy } from '../ui/text/copy.tsx';
import { formatDateTime } from '../ui/text/dates.ts';
import { DescriptionList } from '../ui/text/description-list.tsx';
import { Time } from '../ui/text/time.tsx';
import { toVisibleName } from '../ui/text/visible-text.ts';
import classes from './calls.module.css';
import { formatClock } from './clock.ts';
import type { CallSession } from './whole-call.ts';

interface Props {
  session: CallSession;
  /** Buttons for the call. */
  actions: ReactNode;
}

/** Details of a call. Collapsed on narrow screens, where they are above the transcript instead of next to it. */
export function AboutCall({ session, actions }: Props) {
  const isBeside = useMediaQuery('(min-width: 75.01em)', undefined, { getInitialValueInEffect: false });
  const { session_id, channel, assistant_id, assistant_name, room_name, participant_name, message_count } = session;
  const { started_at, ended_at, session_duration, end_reason, recording_url, metadata, extra, created_at } = session;
  const more = { ...(metadata && { metadata }), ...extra };
  return (
    <Paper component="details" open={isBeside} className={classes.about} p={{ base: 'sm', sm: 'lg' }}>
      <summary>
        <Title order={2} size="md">
          {text.about}
        </Title>
      </summary>
      <Stack gap="md" mt="md">
        <DescriptionList
          items={[
            [
              text.assistant,
              <Group key="assistant" gap="xs">
                <LinkAnchor to="/assistants/$assistantId" params={{ assistantId: assistant_id }} size="sm">
                  {toVisibleName(assistant_name ?? assistant_id)}
                </LinkAnchor>
                <LinkAnchor to="/calls" search={{ assistant: assistant_id }} size="sm">
                  {text.assistantCalls}
                </LinkAnchor>
              </Group>,
            ],
            [text.participant, participant_name ?? common.unknown],
            [
              text.room,
              <LinkAnchor key="room" to="/calls" search={{ room: room_name }} size="sm">
                {toVisibleName(room_name)}
              </LinkAnchor>,
            ],
            [text.channel, text.channels[channel]],
            [text.started, started_at ? formatDateTime(new Date(started_at)) : common.unknown],
            ...(ended_at ? [[text.ended, formatDateTime(new Date(ended_at))] as const] : []),
            [text.length, session_duration === null ? common.unknown : formatClock(session_duration)],
            [text.messages, message_count.toLocaleString('en')],
            ...(end_reason ? [[text.endReason, end_reason] as const] : []),
            ...(recording_url
              ? [
                  [
                    text.recording,
                    <Anchor key="recording" href={recording_url} target="_blank" rel="noreferrer noopener" size="sm">
                      {text.openRecording}
                    </Anchor>,
                  ] as const,
                ]
              : []),
            [text.logged, <Time key="logged" at={created_at} />],
            [
              text.id,
              <Group key="id" gap={4} wrap="nowrap">
                <Code>{`${session_id.slice(0, 8)}…`}</Code>
                <Copy value={session_id} label={common.copyId} />
              </Group>,
            ],
          ]}
        />
        {Object.keys(more).length > 0 && (
          <details>
            <Text size="sm" component="summary">
              {text.more}
            </Text>
            <Code block mt="xs" mah={320} style={{ overflow: 'auto' }} tabIndex={0}>
              {JSON.stringify(more, null, 2)}
            </Code>
          </details>
        )}
        <Group gap="xs">{actions}</Group>
      </Stack>
    </Paper>
  );
}
