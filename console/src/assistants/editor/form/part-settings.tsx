import { type InputWrapperProps, SimpleGrid, TextInput } from '@mantine/core';
import { useRef } from 'react';
import { normalizeService } from '../../../../../shared/domain/credential.ts';
import { assistants as text } from '../../../strings/assistants.ts';
import type { Part } from '../../draft/draft.ts';
import type { EditedDraft } from '../use-draft.ts';
import type { DraftForm } from '../use-draft-form.ts';
import { DidYouMean } from './did-you-mean.tsx';
import { type PartField, partFields } from './part-fields.ts';
import { SuggestingInput } from './suggesting-input.tsx';
import { chooseModel, listProviders } from './suggestions.ts';
import { VendorSettings } from './vendor-settings.tsx';

type Settings = Record<string, unknown>;
type InputWrapperOrder = NonNullable<InputWrapperProps['inputWrapperOrder']>;

interface Props {
  draft: EditedDraft;
  part: Part;
}

/** Settings of a part: a field for each that the API knows, and rows for the vendor's own. */
export function PartSettings({ draft, part }: Props) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        {partFields[part].map((field) => (
          <Setting key={field.setting} form={draft.form} part={part} field={field} />
        ))}
      </SimpleGrid>
      <VendorSettings draft={draft} part={part} />
    </>
  );
}

interface SettingProps {
  form: DraftForm;
  part: Part;
  field: PartField;
}

function Setting({ form, part, field: { setting, nullable, suggestions, explain, chooses } }: SettingProps) {
  const settings: Settings = form.values[part];
  const path = `${part}.${setting}`;
  // Reads the latest values: choosing a suggestion also fires a change event before the next render.
  const change = (settings: Settings) =>
    form.setFieldValue(part, { ...form.getValues()[part], ...settings } as never, path);
  const changeText = (value: string) => change({ [setting]: nullable && value === '' ? null : value });
  const choose = (provider: string) => {
    if (!chooses) return;
    const { use, model } = chooses;
    change({ [setting]: provider, [model]: chooseModel(use, provider, String(settings[model])) });
  };
  const value = String(settings[setting] ?? '');
  // A typed vendor counts as chosen on blur, not on each keystroke: its beginning may be another vendor's name.
  const entered = useRef(value);
  const commit = () => {
    if (value === entered.current) return;
    entered.current = value;
    if (suggestions?.(settings).includes(value)) choose(value);
  };
  const props = {
    label: text.setting[setting],
    description: text.settingHint[setting],
    inputWrapperOrder: ['label', 'input', 'description', 'error'] satisfies InputWrapperOrder,
    value,
    error: form.errors[path],
    'data-path': path,
    autoComplete: 'off',
    spellCheck: false,
  };
  if (!suggestions) return <TextInput {...props} onChange={(event) => changeText(event.currentTarget.value)} />;
  return (
    <div>
      <SuggestingInput
        {...props}
        suggestions={suggestions(settings)}
        {...(explain && { explain })}
        onChange={changeText}
        onOptionSubmit={choose}
        onFocus={() => {
          entered.current = value;
        }}
        onBlur={commit}
      />
      {chooses && (
        <DidYouMean
          typed={normalizeService(value.trim().toLowerCase())}
          names={listProviders(chooses.use)}
          onAccept={choose}
        />
      )}
    </div>
  );
}
