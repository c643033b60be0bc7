import { Badge, Group, SimpleGrid, Stack, Text, VisuallyHidden } from '@mantine/core';
import type { Change } from '../../api/types.ts';
import { versions as text } from '../../strings/versions.ts';
import { type ChangeKind, formatValue, getChangeKind, getChangeLabel, isTextChange } from './changes.ts';
import { compareTexts, type SkippedLines, skipUnchanged, type TextPart } from './text-parts.ts';
import classes from './versions.module.css';

const colors: Record<ChangeKind, string> = { added: 'green', removed: 'red', changed: 'gray' };

/** Lists what differs between two versions. The only module that imports the library that compares texts. */
export function ChangesView({ changes }: { changes: readonly Change[] }) {
  return (
    <Stack>
      {changes.some(isTextChange) && (
        <Text size="xs" c="dimmed">
          {text.legend}
        </Text>
      )}
      {changes.map((change) => (
        <ChangedValue key={change.path.join('\0')} change={change} />
      ))}
    </Stack>
  );
}

function ChangedValue({ change }: { change: Change }) {
  const label = getChangeLabel(change.path);
  const kind = getChangeKind(change);
  return (
    <Stack gap={6}>
      <Group gap="xs">
        <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
          {label}
        </Text>
        <Badge color={colors[kind]}>{text.kind[kind]}</Badge>
      </Group>
      {isTextChange(change) ? (
        <ChangedText before={String(change.before ?? '')} after={String(change.after ?? '')} label={label} />
      ) : (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" verticalSpacing="xs">
          <Value label={`${label}: ${text.before}`} heading={text.before} value={change.before} />
          <Value label={`${label}: ${text.after}`} heading={text.after} value={change.after} />
        </SimpleGrid>
      )}
    </Stack>
  );
}

interface ValueProps {
  label: string;
  heading: string;
  value: unknown;
}

function Value({ label, heading, value }: ValueProps) {
  const formatted = formatValue(value);
  return (
    <div>
      <Text size="xs" c="dimmed">
        {heading}
      </Text>
      {formatted === undefined ? (
        <Text size="sm" c="dimmed" fs="italic">
          {text.notSet}
        </Text>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard (WCAG 2.1.1)
        <section className={classes.value} tabIndex={0} aria-label={label}>
          {formatted}
        </section>
      )}
    </div>
  );
}

const ChangedText = ({ before, after, label }: { before: string; after: string; label: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard (WCAG 2.1.1)
  <section className={classes.value} tabIndex={0} aria-label={label}>
    {skipUnchanged(compareTexts(before, after)).map((part, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change
      <Part key={index} part={part} />
    ))}
  </section>
);

function Part({ part }: { part: TextPart | SkippedLines }) {
  switch (part.kind) {
    case 'same':
      return part.text;
    case 'skipped':
      return <span className={classes.skipped}>{text.skipped(part.lines)}</span>;
    case 'added':
      return (
        <ins className={classes.added}>
          <VisuallyHidden>{text.addedText} </VisuallyHidden>
          {part.text}
        </ins>
      );
    case 'removed':
      return (
        <del className={classes.removed}>
          <VisuallyHidden>{text.removedText} </VisuallyHidden>
          {part.text}
        </del>
      );
  }
}
