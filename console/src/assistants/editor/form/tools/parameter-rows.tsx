import { TrashIcon } from '@heroicons/react/24/outline';
import { ActionIcon, Button, Checkbox, Fieldset, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { tools as text } from '../../../../strings/tools.ts';
import {
  listParameters,
  type Parameter,
  type Parameters,
  parameterTypes,
  setParameters,
} from '../../../draft/tools.ts';
import { NameInput } from './name-input.tsx';

interface Props {
  value: Record<string, unknown>;
  onChange: (parameters: Parameters) => void;
}

/** Arguments of a tool as rows. Nested ones are edited as JSON. */
export function ParameterRows({ value, onChange }: Props) {
  const rows = listParameters(value);
  if (!rows)
    return (
      <Text size="sm" c="dimmed">
        {text.parametersNested}
      </Text>
    );
  const replace = (index: number, ...inserted: Parameter[]) =>
    onChange(setParameters(value, rows.toSpliced(index, 1, ...inserted)));
  const findFreeName = (number = rows.length + 1): string => {
    const name = `argument_${number}`;
    return rows.some((row) => row.name === name) ? findFreeName(number + 1) : name;
  };
  const { parameter: label } = text;
  return (
    <Fieldset legend={text.parameters}>
      <Stack gap="xs">
        {rows.map((row, index) => {
          const change = (fields: Partial<Parameter>) => replace(index, { ...row, ...fields });
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the name is what is edited
            <Group key={index} gap="xs" align="center">
              <NameInput
                label={text.parameterRow(label.name, index + 1)}
                placeholder={label.name}
                value={row.name}
                taken={rows.toSpliced(index, 1).map(({ name }) => name)}
                onChange={(name) => change({ name })}
                width={140}
              />
              <Select
                aria-label={text.parameterRow(label.type, index + 1)}
                data={[...parameterTypes]}
                value={row.type}
                onChange={(type) => change({ type: type ?? 'string' })}
                allowDeselect={false}
                w={112}
              />
              <TextInput
                aria-label={text.parameterRow(label.description, index + 1)}
                placeholder={label.description}
                value={row.description}
                onChange={({ currentTarget }) => change({ description: currentTarget.value })}
                autoComplete="off"
                flex={1}
                miw={140}
              />
              <Checkbox
                label={label.required}
                aria-label={text.parameterRow(label.required, index + 1)}
                checked={row.required}
                onChange={({ currentTarget }) => change({ required: currentTarget.checked })}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={text.removeParameter(row.name)}
                onClick={() => replace(index)}
              >
                <TrashIcon width={18} aria-hidden />
              </ActionIcon>
            </Group>
          );
        })}
        <Button
          variant="default"
          size="xs"
          w="fit-content"
          onClick={() =>
            replace(rows.length, { name: findFreeName(), type: 'string', description: '', required: false })
          }
        >
          {text.addParameter}
        </Button>
      </Stack>
    </Fieldset>
  );
}
