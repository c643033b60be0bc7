import { WrenchIcon } from '@heroicons/react/24/outline';
import { Badge, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { calls as text } from '../../strings/calls.ts';
import { HighlightedText } from '../../ui/text/highlighted-text.tsx';
import { formatDuration } from '../clock.ts';
import { formatValue, markMatches } from './search.ts';
import classes from './transcript.module.css';
import type { Turn } from './turns.ts';

interface Props {
  turn: Turn;
  sought: RegExp | undefined;
  /** True if it matches the search. It is then expanded. */
  isFound: boolean;
  /** Time of the call. */
  children: ReactNode;
}

/** A tool call with its arguments and result, collapsed. */
export function ToolTurn({ turn, sought, isFound, children }: Props) {
  const { log, result, took } = turn;
  const output = result?.output ?? log.output;
  const isError = result?.is_error ?? log.is_error;
  const name = log.name ?? result?.name ?? text.someTool;
  return (
    <div className={classes.turn} data-side="wide">
      {children}
      <details className={classes.folded} open={isFound}>
        <summary>
          <WrenchIcon width={14} aria-hidden className={classes.icon} />
          <HighlightedText parts={markMatches(text.tool(name), sought)} />
          {took !== undefined && (
            <Text span size="xs" c="dimmed">
              {text.toolTook(formatDuration(took))}
            </Text>
          )}
          {isError && (
            <Badge size="sm" color="red">
              {text.toolFailed}
            </Badge>
          )}
          {output == null && (
            <Badge size="sm" color="gray">
              {text.toolOpen}
            </Badge>
          )}
        </summary>
        <Value name={text.arguments} value={log.arguments} sought={sought} />
        <Value name={text.result} value={output} sought={sought} />
      </details>
    </div>
  );
}

function Value({ name, value, sought }: { name: string; value: unknown; sought: RegExp | undefined }) {
  if (value === null || value === undefined) return null;
  return (
    <>
      <Text size="xs" c="dimmed" mt="xs">
        {name}
      </Text>
      <div className={classes.value}>
        <HighlightedText parts={markMatches(formatValue(value), sought)} />
      </div>
    </>
  );
}
