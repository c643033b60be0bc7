import { Mark, Text } from '@mantine/core';
import { assistants as text } from '../strings/assistants.ts';
import { differingPart } from './differing-part.ts';
import classes from './editor.module.css';
import { jsonOf } from './json-draft.ts';

interface Props {
  value: unknown;
  /** The other version, from which it differs. */
  other: unknown;
  label: string;
}

const written = (value: unknown): string => (typeof value === 'string' ? value : jsonOf(value));

/** A version of a field, with the part marked that the other version does not have. */
export function VersionValue({ value, other, label }: Props) {
  if (value === undefined || value === null || value === '') {
    return (
      <Text size="sm" c="dimmed" fs="italic" p="xs">
        {text.notSet}
      </Text>
    );
  }
  const { before, one, after } = differingPart(written(value), written(other ?? ''));
  return (
    // Scrolled by keyboard, too.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to take the focus (WCAG 2.1.1)
    <section className={classes.value} tabIndex={0} aria-label={label}>
      {before}
      {one && <Mark>{one}</Mark>}
      {after}
    </section>
  );
}
