import { type InputWrapperProps, SimpleGrid, TextInput } from '@mantine/core';
import { assistants as text } from '../../strings/assistants.ts';
import { knownSettings, type Part } from '../draft.ts';
import { settingsOf } from '../setting-rows.ts';
import { modelAfter } from '../suggestions.ts';
import type { DraftForm } from '../use-draft-form.ts';
import { type PartField, partFields } from './part-fields.ts';
import { SuggestingInput } from './suggesting-input.tsx';
import { VendorSettings } from './vendor-settings.tsx';

interface Props {
  form: DraftForm;
  part: Part;
}

type Settings = Record<string, unknown>;
type InputWrapperOrder = NonNullable<InputWrapperProps['inputWrapperOrder']>;

/** The settings of a part: a field for each that the service knows, and rows for the vendor's own. */
export function PartSettings({ form, part }: Props) {
  const settings: Settings = form.values[part];
  const known = knownSettings(part);
  const change = (next: Settings, path: string = part) => form.setFieldValue(part, next as never, path);
  const own = (next: Settings) => {
    const kept = Object.entries(settings).filter(([key]) => known.includes(key));
    change({ ...Object.fromEntries(kept), ...next });
  };
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        {partFields[part].map((field) => (
          <Setting key={field.setting} form={form} part={part} field={field} onChange={change} />
        ))}
      </SimpleGrid>
      <VendorSettings
        settings={settings}
        known={known}
        onChange={(rows) => own(settingsOf(rows))}
        error={form.errors[part]}
      />
    </>
  );
}

interface SettingProps extends Props {
  field: PartField;
  onChange: (settings: Settings, path: string) => void;
}

function Setting({ form, part, field: { setting, nullable, suggestions, explain, chooses }, onChange }: SettingProps) {
  const settings: Settings = form.values[part];
  const path = `${part}.${setting}`;
  // Over what is there now: to choose a suggestion is to type it, too, before this is drawn again.
  const change = (settings: Settings) => onChange({ ...form.getValues()[part], ...settings }, path);
  const set = (value: string) => change({ [setting]: nullable && value === '' ? null : value });
  const choose = (provider: string) => {
    if (!chooses) return;
    const { use, model } = chooses;
    change({ [setting]: provider, [model]: modelAfter(use, provider, String(settings[model])) });
  };
  const props = {
    label: text.setting[setting],
    description: text.settingHint[setting],
    inputWrapperOrder: ['label', 'input', 'description', 'error'] satisfies InputWrapperOrder,
    value: String(settings[setting] ?? ''),
    error: form.errors[path],
    'data-path': path,
    autoComplete: 'off',
    spellCheck: false,
  };
  if (!suggestions) return <TextInput {...props} onChange={(event) => set(event.currentTarget.value)} />;
  return (
    <SuggestingInput
      {...props}
      suggestions={suggestions(settings)}
      {...(explain && { explain })}
      onChange={set}
      onOptionSubmit={choose}
    />
  );
}
