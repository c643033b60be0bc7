import { LinkIcon } from '@heroicons/react/24/outline';
import { Badge, Text } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { memo, type ReactNode } from 'react';
import { calls as text } from '../../strings/calls.ts';
import { notifyDone } from '../../ui/feedback/notify.ts';
import { HighlightedText } from '../../ui/text/highlighted-text.tsx';
import { formatClock, formatDuration } from '../clock.ts';
import { listLatencies } from './latency.ts';
import { findTurns, formatValue, markMatches } from './search.ts';
import { ToolTurn } from './tool-turn.tsx';
import classes from './transcript.module.css';
import type { Turn } from './turns.ts';

interface Props {
  turn: Turn;
  sought: RegExp | undefined;
}

/**
 * A turn: the caller's on the left, the assistant's on the right, others collapsed. Memoized, so that scrolling does
 * not re-render it.
 */
export const TurnView = memo(function TurnView({ turn, sought }: Props) {
  const isFound = sought !== undefined && findTurns([turn], sought).length > 0;
  if (turn.kind === 'tool') {
    return (
      <ToolTurn turn={turn} sought={sought} isFound={isFound}>
        <Meta turn={turn} />
      </ToolTurn>
    );
  }
  if (turn.kind === 'event' || turn.log.role === 'system') {
    return (
      <Folded turn={turn} isFound={isFound}>
        <HighlightedText parts={markMatches(turn.log.content ?? formatValue(turn.log.raw), sought)} />
      </Folded>
    );
  }
  const { role, content, interrupted } = turn.log;
  return (
    <div className={classes.turn} data-side={role === 'assistant' ? 'right' : 'left'}>
      <Meta turn={turn}>
        <span className={classes.who}>{text.speaker[role]}</span>
      </Meta>
      <div className={classes.bubble}>
        {content?.trim() ? (
          <HighlightedText parts={markMatches(content, sought)} />
        ) : (
          <Text span size="sm" c="dimmed" fs="italic">
            {text.silence}
          </Text>
        )}
      </div>
      {interrupted && (
        <Badge size="sm" color="yellow" mt={4}>
          {text.interrupted}
        </Badge>
      )}
    </div>
  );
});

/** Time of a turn, the gap before it, its latencies, and a button to copy a link to it. */
function Meta({ turn, children }: { turn: Turn; children?: ReactNode }) {
  const { number, at, gap, log } = turn;
  return (
    <div className={classes.meta}>
      {children}
      {at !== undefined && <span>{formatClock(at)}</span>}
      {gap !== undefined && gap > 0 && <span title={text.gapHint}>{text.gap(formatDuration(gap))}</span>}
      {listLatencies(log).map(({ part, seconds }) => (
        <span key={part}>{text.formatLatency(text.latency[part], formatDuration(seconds))}</span>
      ))}
      <CopyLink number={number} />
    </div>
  );
}

/** Button that copies the link to a turn. A plain <button>, since every turn has one. */
function CopyLink({ number }: { number: number }) {
  const { copy } = useClipboard();
  const label = text.copyTurn(number);
  return (
    <button
      type="button"
      className={classes.link}
      aria-label={label}
      title={label}
      onClick={() => {
        copy(`${location.origin}${location.pathname}#turn-${number}`);
        notifyDone(text.turnCopied(number));
      }}
    >
      <LinkIcon width={14} aria-hidden />
    </button>
  );
}

/** A turn that nobody spoke: an instruction to the model, or an event. */
function Folded({ turn, isFound, children }: { turn: Turn; isFound: boolean; children: ReactNode }) {
  const { role, name } = turn.log;
  return (
    <div className={classes.turn} data-side="wide">
      <Meta turn={turn} />
      <details className={classes.folded} open={isFound}>
        <summary>{turn.kind === 'event' ? text.event(name ?? role) : text.speaker[role]}</summary>
        <div className={classes.inside}>{children}</div>
      </details>
    </div>
  );
}
