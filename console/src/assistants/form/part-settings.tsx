import { type InputWrapperProps, SimpleGrid, TextInput } from '@mantine/core';
import { useRef } from 'react';
import { serviceOf } from '../../../../shared/domain/credential.ts';
import { assistants as text } from '../../strings/assistants.ts';
import type { Part } from '../draft.ts';
import { modelAfter, providersOf } from '../suggestions.ts';
import type { EditedDraft } from '../use-draft.ts';
import type { DraftForm } from '../use-draft-form.ts';
import { DidYouMean } from './did-you-mean.tsx';
import { type PartField, partFields } from './part-fields.ts';
import { SuggestingInput } from './suggesting-input.tsx';
import { VendorSettings } from './vendor-settings.tsx';

type Settings = Record<string, unknown>;
type InputWrapperOrder = NonNullable<InputWrapperProps['inputWrapperOrder']>;

interface Props {
  draft: EditedDraft;
  part: Part;
}

/** The settings of a part: a field for each that the service knows, and rows for the vendor's own. */
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
  // Over what is there now: to choose a suggestion is to type it, too, before this is drawn again.
  const change = (settings: Settings) =>
    form.setFieldValue(part, { ...form.getValues()[part], ...settings } as never, path);
  const set = (value: string) => change({ [setting]: nullable && value === '' ? null : value });
  const choose = (provider: string) => {
    if (!chooses) return;
    const { use, model } = chooses;
    change({ [setting]: provider, [model]: modelAfter(use, provider, String(settings[model])) });
  };
  const value = String(settings[setting] ?? '');
  // One that was typed counts as chosen, but not before it is whole: another's name may be a part of it.
  const entered = useRef(value);
  const leave = () => {
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
  if (!suggestions) return <TextInput {...props} onChange={(event) => set(event.currentTarget.value)} />;
  return (
    <div>
      <SuggestingInput
        {...props}
        suggestions={suggestions(settings)}
        {...(explain && { explain })}
        onChange={set}
        onOptionSubmit={choose}
        onFocus={() => {
          entered.current = value;
        }}
        onBlur={leave}
      />
      {chooses && (
        <DidYouMean typed={serviceOf(value.trim().toLowerCase())} names={providersOf(chooses.use)} onAccept={choose} />
      )}
    </div>
  );
}
