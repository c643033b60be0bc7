import { LinkIcon } from '@heroicons/react/24/outline';
import { Badge, Text } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { memo, type ReactNode } from 'react';
import { calls as text } from '../../strings/calls.ts';
import { notifyDone } from '../../ui/notify.ts';
import { Pieces } from '../../ui/pieces.tsx';
import { clock, span } from '../clock.ts';
import { found, marking, written } from './find.ts';
import { latenciesOf } from './latency.ts';
import { ToolTurn } from './tool-turn.tsx';
import classes from './transcript.module.css';
import type { Turn } from './turns.ts';

interface Props {
  turn: Turn;
  sought: RegExp | undefined;
}

/** One turn: the caller's on the left, the assistant's on the right, the rest folded. Not drawn anew at each scroll. */
export const TurnView = memo(function TurnView({ turn, sought }: Props) {
  const isFound = sought !== undefined && found([turn], sought).length > 0;
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
        <Pieces pieces={marking(turn.log.content ?? written(turn.log.raw), sought)} />
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
          <Pieces pieces={marking(content, sought)} />
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

/** When it was, how long after the turn before, what took how long, and the way to link to it. */
function Meta({ turn, children }: { turn: Turn; children?: ReactNode }) {
  const { number, at, gap, log } = turn;
  return (
    <div className={classes.meta}>
      {children}
      {at !== undefined && <span>{clock(at)}</span>}
      {gap !== undefined && gap > 0 && <span title={text.gapHint}>{text.gap(span(gap))}</span>}
      {latenciesOf(log).map(({ part, seconds }) => (
        <span key={part}>{text.latencyOf(text.latency[part], span(seconds))}</span>
      ))}
      <CopyLink number={number} />
    </div>
  );
}

/** Copies the link to a turn. A bare button, since there is one at each turn. */
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

/** What nobody says: an instruction to the model, or an event. */
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
