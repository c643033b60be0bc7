import type { CallFacts } from '../../schemas/runtime-config.ts';
import { DateTimeFormat, getDateFormatter } from './date-formatter.ts';

/** Facts about a call, and values of its variables, when its texts are rendered. */
export interface CallValues {
  call: CallFacts;
  variables: Record<string, string>;
}

/** Values before a call is known. */
export const noValues: CallValues = { call: {}, variables: {} };

/** Values that a template may read. */
export type Scope = Record<string, string | number | Record<string, string>>;

/** Parts of an assistant that templates read. */
interface TemplatedAssistant {
  name: string;
  variables: Record<string, { default?: string | null | undefined }> | null;
  timezone: string;
  voice: { language: string };
}

/** Values of a call that templates may read. */
const callFacts = ['room_name', 'participant_name', 'from', 'to', 'direction'] satisfies (keyof CallFacts)[];

/** Returns those of some names, such as `customer` or `call.from`, that the assistant does not declare and that are not built in. */
export function listUndeclared(names: string[], assistant: TemplatedAssistant): string[] {
  const scope = buildScope(assistant, { ...noValues, call: Object.fromEntries(callFacts.map((fact) => [fact, ''])) });
  return names.filter((name) => {
    const [first = '', second] = name.split('.');
    const value = Object.getOwnPropertyDescriptor(scope, first);
    if (!value) return true;
    return second !== undefined && typeof value.value === 'object' && !Object.hasOwn(value.value, second);
  });
}

/** Returns the assistant's language for dates, or English if dates cannot be written in it. */
function toLocale(language: string): string {
  try {
    return DateTimeFormat.supportedLocalesOf(language.replaceAll('_', '-'))[0] ?? 'en';
  } catch {
    return 'en';
  }
}

/** Builds what templates may read. Dates are formatted when read, since that loads ICU. */
export function buildScope(assistant: TemplatedAssistant, { call, variables }: CallValues): Scope {
  const now = new Date();
  const format = (options: Intl.DateTimeFormatOptions) =>
    getDateFormatter(toLocale(assistant.voice.language), { timeZone: assistant.timezone, ...options }).format(now);
  const defaults = Object.entries(assistant.variables ?? {}).map(([name, one]) => [name, one.default ?? '']);
  return {
    ...Object.fromEntries(defaults),
    ...variables,
    now: now.toISOString(),
    get date() {
      return format({ dateStyle: 'long' });
    },
    get time() {
      return format({ timeStyle: 'short' });
    },
    get weekday() {
      return format({ weekday: 'long' });
    },
    get year() {
      return format({ year: 'numeric' });
    },
    call: Object.fromEntries(Object.entries(call).map(([name, value]) => [name, value ?? ''])),
    assistant: { name: assistant.name },
  };
}
