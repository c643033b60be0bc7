import { type DayRange, isDay, toTimeRange } from '../ui/input/day.ts';

/** Types of the things that events are about, as in the types of events. */
export const subjects = ['assistant', 'knowledge_base', 'call', 'credential', 'prices', 'api_key', 'webhook'] as const;
export type Subject = (typeof subjects)[number];

/** Filter of the activity, as stored in the URL. */
export interface Filter extends DayRange {
  /** Type of the subject. */
  about?: Subject | undefined;
  /** Id of one subject, such as an assistant. */
  subject?: string | undefined;
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const parseDay = (value: unknown) => (typeof value === 'string' && isDay(value) ? value : undefined);

/** Parses a filter from the URL. Skips invalid values. */
export const parseFilter = ({ about, subject, from, to }: Record<string, unknown>): Filter => ({
  about: subjects.find((one) => one === about),
  subject: typeof subject === 'string' && uuid.test(subject) ? subject : undefined,
  from: parseDay(from),
  to: parseDay(to),
});

/** Returns the API's parameters for a filter. */
export const toQuery = ({ about, subject, from, to }: Filter) => ({
  ...(about && { type: `${about}.*` as const }),
  subject_id: subject,
  ...toTimeRange({ from, to }),
});

/** True if the filter excludes anything. */
export const isFiltered = (filter: Filter): boolean => Object.values(filter).some((value) => value !== undefined);
