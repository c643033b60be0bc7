import { MultiSelect } from '@mantine/core';
import { knowledge as text } from '../../strings/knowledge.ts';

interface Props {
  /** Languages to choose from. */
  languages: readonly string[];
  value: string[];
  onChange: (languages: string[]) => void;
}

const names = new Intl.DisplayNames('en', { type: 'language' });

/** Limit of the languages of a document, as in the API. */
const maxLanguages = 5;

/** Field for the languages of scans and pictures. */
export function LanguageField({ languages, value, onChange }: Props) {
  return (
    <MultiSelect
      label={text.languages}
      description={text.languagesHint}
      placeholder={value.length === 0 ? text.languagesDetected : undefined}
      data={languages.map((code) => ({ value: code, label: names.of(code) ?? code }))}
      value={value}
      onChange={onChange}
      maxValues={maxLanguages}
      searchable
      clearable
    />
  );
}
