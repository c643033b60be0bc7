import { queryOptions } from '@tanstack/react-query';
import { readConfig } from '../../auth/config.ts';

/** Query for the languages that the API reads in scans and pictures. Only a deployment changes them. */
export const languagesQuery = queryOptions({
  queryKey: ['ocr-languages'],
  queryFn: async () => (await readConfig()).ocrLanguages,
  staleTime: Number.POSITIVE_INFINITY,
});
