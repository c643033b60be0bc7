import { TrashIcon } from '@heroicons/react/24/outline';
import { ActionIcon, Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { tools as text } from '../../../../strings/tools.ts';
import { lazyComponent } from '../../../../ui/loading/lazy.tsx';
import type { EditedDraft } from '../../use-draft.ts';
import { NameInput } from './name-input.tsx';

// Lazy, because it brings the template engine.
const Preview = lazyComponent(() => import('./preview.tsx'), 'Preview');

type Variables = NonNullable<EditedDraft['form']['values']['variables']>;

/** Variables of an assistant, and a preview of its texts with their defaults. */
export function VariableSection({ draft: { form, lastVariables } }: { draft: EditedDraft }) {
  const { variables, timezone } = form.values;
  const [isShown, shown] = useDisclosure();
  const rows = Object.entries(variables ?? {});
  const setRows = (next: [string, Variables[string]][]) => form.setFieldValue('variables', Object.fromEntries(next));
  const setTemplates = (isUsed: boolean) => {
    if (variables) lastVariables.current = variables;
    form.setFieldValue('variables', isUsed ? lastVariables.current : null);
  };
  const findFreeName = (number = rows.length + 1): string =>
    rows.some(([name]) => name === `variable_${number}`) ? findFreeName(number + 1) : `variable_${number}`;
  const { variable: label } = text;
  return (
    <Stack gap="sm">
      <Checkbox
        label={text.useVariables}
        checked={variables !== null}
        onChange={({ currentTarget }) => setTemplates(currentTarget.checked)}
        error={form.errors.variables}
        data-path="variables"
      />
      {variables !== null && (
        <>
          {rows.map(([name, variable], index) => {
            const replace = (...inserted: [string, Variables[string]][]) =>
              setRows(rows.toSpliced(index, 1, ...inserted));
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the name is what is edited
              <Group key={index} gap="xs">
                <NameInput
                  label={text.variableRow(label.name, index + 1)}
                  placeholder={label.name}
                  value={name}
                  taken={rows.toSpliced(index, 1).map(([other]) => other)}
                  onChange={(next) => replace([next, variable])}
                  width={160}
                />
                <TextInput
                  aria-label={text.variableRow(label.default, index + 1)}
                  placeholder={label.default}
                  value={variable.default ?? ''}
                  onChange={({ currentTarget }) =>
                    replace([name, { ...variable, default: currentTarget.value || null }])
                  }
                  autoComplete="off"
                  flex={1}
                  miw={140}
                />
                <Checkbox
                  label={label.required}
                  aria-label={text.variableRow(label.required, index + 1)}
                  checked={variable.required ?? false}
                  onChange={({ currentTarget }) => replace([name, { ...variable, required: currentTarget.checked }])}
                />
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={text.removeVariable(name)}
                  onClick={() => replace()}
                >
                  <TrashIcon width={18} aria-hidden />
                </ActionIcon>
              </Group>
            );
          })}
          <Group gap="xs">
            <Button
              variant="default"
              size="xs"
              onClick={() => setRows([...rows, [findFreeName(), { default: null, required: false }]])}
            >
              {text.addVariable}
            </Button>
            <Button variant="default" size="xs" onClick={shown.toggle} aria-expanded={isShown}>
              {text.preview}
            </Button>
          </Group>
          {isShown && <Preview draft={form.values} />}
        </>
      )}
      <TextInput
        label={text.timezone}
        value={timezone}
        onChange={({ currentTarget }) => form.setFieldValue('timezone', currentTarget.value)}
        error={form.errors.timezone}
        data-path="timezone"
        autoComplete="off"
        spellCheck={false}
        maw={320}
      />
    </Stack>
  );
}
