import { MultiSelect } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { readConfig } from '../../auth/config.ts';
import { knowledge as text } from '../../strings/knowledge.ts';

interface Props {
  value: string[];
  onChange: (languages: string[]) => void;
}

/** Query for the languages that the API reads in scans and pictures. Only a deployment changes them. */
const languagesQuery = queryOptions({
  queryKey: ['ocr-languages'],
  queryFn: async () => (await readConfig()).ocrLanguages,
  staleTime: Number.POSITIVE_INFINITY,
});

const names = new Intl.DisplayNames('en', { type: 'language' });

/** Limit of the languages of a document, as in the API. */
const maxLanguages = 5;

/** Field for the languages of scans and pictures. Hidden if there is no choice. */
export function LanguageField({ value, onChange }: Props) {
  const { data = [] } = useQuery(languagesQuery);
  if (data.length < 2) return null;
  return (
    <MultiSelect
      label={text.languages}
      description={text.languagesHint}
      placeholder={value.length === 0 ? text.languagesDetected : undefined}
      data={data.map((code) => ({ value: code, label: names.of(code) ?? code }))}
      value={value}
      onChange={onChange}
      maxValues={maxLanguages}
      searchable
      clearable
    />
  );
}
