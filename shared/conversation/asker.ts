import type { EventData } from '../events.ts';
import type { EventWrite } from '../store/journal.ts';

/** The caller who asks an assistant. Events and logs of the answer name them. */
export interface Asker {
  /** Owner in the table's partition keys. */
  owner: string;
  tell<T extends 'credential.leased' | 'completion.done'>(type: T, subjectId: string, data: EventData<T>): EventWrite;
  audit(event: string, facts: object): void;
  /** Counts the answer for a quota, before it costs anything. Unset if it is counted already. */
  count?(): Promise<void>;
}
