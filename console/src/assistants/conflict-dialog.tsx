import { Badge, Button, Group, Radio, SimpleGrid, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { assistants as text } from '../strings/assistants.ts';
import { Dialog } from '../ui/dialog.tsx';
import type { Draft } from './draft.ts';
import { VersionValue } from './version-value.tsx';
import { type Choice, type Difference, differences, firstChoice, merged } from './versions.ts';

interface Props {
  /** What both were made of. */
  base: Draft;
  mine: Draft;
  theirs: Draft;
  onClose: () => void;
  /** Gets the draft that was put together of both. */
  onSave: (draft: Draft) => void;
}

const nameOf = ([field, setting]: Difference['path']): string =>
  [text.field[field as keyof typeof text.field], setting && (text.setting[setting] ?? setting)]
    .filter(Boolean)
    .join(' › ');

const colors = { me: 'gray', them: 'gray', both: 'yellow' } as const;

/** Two versions of an assistant, field by field where they differ, to choose from. */
export function ConflictDialog({ base, mine, theirs, onClose, onSave }: Props) {
  const isNarrow = useMediaQuery('(max-width: 48em)');
  const found = differences(base, mine, theirs);
  const [choices, setChoices] = useState<Choice[]>(() => found.map(firstChoice));
  const choiceOf = (index: number) => choices[index] ?? 'mine';
  const chosen = found.map((difference, index) => ({ difference, choice: choiceOf(index) }));
  return (
    <Dialog opened onClose={onClose} title={text.conflictTitle} size="56rem" fullScreen={isNarrow}>
      <Stack>
        <Group justify="space-between">
          <Text size="sm">{found.length > 0 ? text.conflictText : text.conflictSame}</Text>
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={() => setChoices(found.map(() => 'mine'))}>
              {text.keepMine}
            </Button>
            <Button size="xs" variant="default" onClick={() => setChoices(found.map(() => 'theirs'))}>
              {text.takeTheirs}
            </Button>
          </Group>
        </Group>
        {found.map((difference, index) => (
          <OneDifference
            key={difference.path.join('.')}
            difference={difference}
            choice={choiceOf(index)}
            onChoose={(choice) => setChoices(found.map((_, at) => (at === index ? choice : choiceOf(at))))}
          />
        ))}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {text.backToEditing}
          </Button>
          <Button onClick={() => onSave(merged(theirs, chosen))}>{text.saveChoice}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

interface OneProps {
  difference: Difference;
  choice: Choice;
  onChoose: (choice: Choice) => void;
}

function OneDifference({ difference, choice, onChoose }: OneProps) {
  const { path, mine, theirs, changedBy } = difference;
  return (
    <Radio.Group
      value={choice}
      onChange={(next) => onChoose(next as Choice)}
      label={
        <Group gap="xs" component="span" display="inline-flex">
          {nameOf(path)}
          <Badge color={colors[changedBy]} component="span">
            {text.changedBy[changedBy]}
          </Badge>
        </Group>
      }
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} mt="xs">
        <div>
          <Radio value="mine" label={text.mine} mb={6} />
          <VersionValue value={mine} other={theirs} label={`${nameOf(path)}, ${text.mine}`} />
        </div>
        <div>
          <Radio value="theirs" label={text.theirs} mb={6} />
          <VersionValue value={theirs} other={mine} label={`${nameOf(path)}, ${text.theirs}`} />
        </div>
      </SimpleGrid>
    </Radio.Group>
  );
}
