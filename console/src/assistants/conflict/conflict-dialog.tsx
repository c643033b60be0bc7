import { Badge, Button, Group, Radio, SimpleGrid, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { assistants as text } from '../../strings/assistants.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import type { Draft } from '../draft/draft.ts';
import { VersionValue } from './version-value.tsx';
import { type Choice, type Difference, getDefaultChoice, listDifferences, mergeChoices } from './versions.ts';

interface Props {
  /** Common ancestor of both versions. */
  base: Draft;
  mine: Draft;
  theirs: Draft;
  onClose: () => void;
  /** Called with the merged draft. */
  onSave: (draft: Draft) => void;
}

const getFieldLabel = ([field, setting]: Difference['path']): string =>
  [text.field[field as keyof typeof text.field], setting && (text.setting[setting] ?? setting)]
    .filter(Boolean)
    .join(' › ');

const colors = { me: 'gray', them: 'gray', both: 'yellow' } as const;

/** Shows two versions of an assistant, field by field where they differ, and lets the user choose. */
export function ConflictDialog({ base, mine, theirs, onClose, onSave }: Props) {
  const isNarrow = useMediaQuery('(max-width: 48em)');
  const differences = listDifferences(base, mine, theirs);
  const [choices, setChoices] = useState<Choice[]>(() => differences.map(getDefaultChoice));
  const getChoice = (index: number) => choices[index] ?? 'mine';
  const chosen = differences.map((difference, index) => ({ difference, choice: getChoice(index) }));
  return (
    <Dialog opened onClose={onClose} title={text.conflictTitle} size="56rem" fullScreen={isNarrow}>
      <Stack>
        <Group justify="space-between">
          <Text size="sm">{differences.length > 0 ? text.conflictText : text.conflictSame}</Text>
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={() => setChoices(differences.map(() => 'mine'))}>
              {text.keepMine}
            </Button>
            <Button size="xs" variant="default" onClick={() => setChoices(differences.map(() => 'theirs'))}>
              {text.takeTheirs}
            </Button>
          </Group>
        </Group>
        {differences.map((difference, index) => (
          <DifferenceChoice
            key={difference.path.join('.')}
            difference={difference}
            choice={getChoice(index)}
            onChoose={(choice) => setChoices(differences.map((_, at) => (at === index ? choice : getChoice(at))))}
          />
        ))}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {text.backToEditing}
          </Button>
          <Button onClick={() => onSave(mergeChoices(theirs, chosen))}>{text.saveChoice}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

interface DifferenceChoiceProps {
  difference: Difference;
  choice: Choice;
  onChoose: (choice: Choice) => void;
}

function DifferenceChoice({ difference, choice, onChoose }: DifferenceChoiceProps) {
  const { path, mine, theirs, changedBy } = difference;
  return (
    <Radio.Group
      value={choice}
      onChange={(next) => onChoose(next as Choice)}
      label={
        <Group gap="xs" component="span" display="inline-flex">
          {getFieldLabel(path)}
          <Badge color={colors[changedBy]} component="span">
            {text.changedBy[changedBy]}
          </Badge>
        </Group>
      }
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} mt="xs">
        <div>
          <Radio value="mine" label={text.mine} mb={6} />
          <VersionValue value={mine} other={theirs} label={`${getFieldLabel(path)}, ${text.mine}`} />
        </div>
        <div>
          <Radio value="theirs" label={text.theirs} mb={6} />
          <VersionValue value={theirs} other={mine} label={`${getFieldLabel(path)}, ${text.theirs}`} />
        </div>
      </SimpleGrid>
    </Radio.Group>
  );
}
