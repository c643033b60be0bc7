import { Mark, Text } from '@mantine/core';
import { assistants as text } from '../../strings/assistants.ts';
import { formatJson } from '../draft/json-draft.ts';
import classes from '../editor/editor.module.css';
import { splitAtDifference } from './text-difference.ts';

interface Props {
  value: unknown;
  /** The other version's value, to compare with. */
  other: unknown;
  label: string;
}

const formatValue = (value: unknown): string => (typeof value === 'string' ? value : formatJson(value));

/** Value of a field in one version. Highlights the part that the other version lacks. */
export function VersionValue({ value, other, label }: Props) {
  if (value === undefined || value === null || value === '') {
    return (
      <Text size="sm" c="dimmed" fs="italic" p="xs">
        {text.notSet}
      </Text>
    );
  }
  const { before, one, after } = splitAtDifference(formatValue(value), formatValue(other ?? ''));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard (WCAG 2.1.1)
    <section className={classes.value} tabIndex={0} aria-label={label}>
      {before}
      {one && <Mark>{one}</Mark>}
      {after}
    </section>
  );
}
