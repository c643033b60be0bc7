import { randomUUID } from 'node:crypto';
import type { Queue } from '../queues/queue.ts';
import { type Assembly, expectOnly } from '../template.ts';
import { compileEventPattern } from './event-pattern.ts';
import { listRules } from './rules.ts';

/** An event as its sender describes it. */
export interface SentEvent {
  source: string;
  detailType: string;
  detail: object;
  resources?: string[];
  /** Defaults to now. */
  time?: Date;
}

/** The event buses of the templates, and `default`, which gets the events of AWS services. */
export interface Buses {
  has(name: string): boolean;
  /** Sends an event to the queues of all matching rules, which have stored it when this returns. Returns the event's id. */
  send(bus: string, event: SentEvent): string;
}

const defaultBus = 'default';

const toEvent = ({ source, detailType, detail, resources = [], time = new Date() }: SentEvent) => ({
  version: '0',
  id: randomUUID(),
  'detail-type': detailType,
  source,
  account: '000000000000',
  time: time.toISOString().replace(/\.\d+/, ''),
  region: 'us-east-1',
  resources,
  detail,
});

/**
 * Opens the event buses of the templates. `onEvent` receives each event of a bus of the templates. Throws if a rule is of a kind that the
 * local host does not support.
 */
export function openBuses(assembly: Assembly, queues: Map<string, Queue>, onEvent: (event: object) => void): Buses {
  const names = assembly.listResources('AWS::Events::EventBus').map(({ Properties, stack }) => {
    expectOnly(['Name', 'Tags'], Properties);
    return String(assembly.resolve(Properties.Name, stack));
  });
  const rules = listRules(assembly).flatMap(({ pattern, bus = defaultBus, targets }) => {
    if (!pattern) return [];
    const found = targets.map((target) => {
      expectOnly(['Id', 'Arn', 'DeadLetterConfig'], target); // local queues accept every message, so none reaches the dead-letter queue
      const queue = queues.get(target.Arn);
      if (!queue) throw new Error(`The local host does not support the target ${target.Arn} of a rule`);
      return queue;
    });
    return [{ bus, matches: compileEventPattern(pattern), targets: found }];
  });
  return {
    has: (name) => names.includes(name),
    send: (bus, sent) => {
      const event = toEvent(sent);
      for (const rule of rules) {
        if (rule.bus === bus && rule.matches(event))
          for (const queue of rule.targets) queue.send(JSON.stringify(event));
      }
      if (bus !== defaultBus) onEvent(event);
      return event.id;
    },
  };
}
