import type { EventType } from '../../../shared/events.ts';

/** Texts of the activity's page. */
export const activity = {
  title: 'Activity',
  description: 'Everything that changed, who changed it, and when.',
  list: 'What changed, newest first',
  column: { event: 'What', actor: 'Who', time: 'When' },
  count: (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'event' : 'events'}`,
  noneTitle: 'No activity yet',
  none: 'Every change of an assistant, document, call or key will be listed here.',
  noneFoundTitle: 'No activity matches',
  noneFound: 'Choose other days, or something else.',

  // Filters
  filters: 'Which activity',
  about: 'About',
  anything: 'Anything',
  subjects: {
    assistant: 'Assistants',
    knowledge_base: 'Documents',
    call: 'Calls',
    credential: 'Credentials',
    prices: 'Prices',
    api_key: 'API keys',
    webhook: 'Webhooks',
  },
  subject: 'One thing',
  anySubject: 'Show all things',
  from: 'From',
  to: 'To',
  clear: 'Clear all',

  // An event
  types: {
    'assistant.created': 'Assistant created',
    'assistant.updated': 'Assistant changed',
    'assistant.deleted': 'Assistant deleted',
    'assistant.published': 'Assistant published',
    'assistant.live_changed': 'Live versions changed',
    'assistant.version_deleted': 'Version deleted',
    'knowledge_base.created': 'Document uploaded',
    'knowledge_base.ready': 'Document ready',
    'knowledge_base.failed': 'Document failed',
    'knowledge_base.deleted': 'Document deleted',
    'knowledge_base.attached': 'Document attached',
    'knowledge_base.detached': 'Document detached',
    'call.completed': 'Call saved',
    'call.updated': 'Longer version of a call saved',
    'call.deleted': 'Call deleted',
    'completion.done': 'Text answer given',
    'job.created': 'Job created',
    'job.done': 'Job ended',
    'prices.saved': 'Prices saved',
    'credential.saved': 'Credential saved',
    'credential.deleted': 'Credential deleted',
    'credential.leased': 'Credentials read by a worker',
    'api_key.created': 'API key created',
    'api_key.rotated': 'API key rotated',
    'api_key.revoked': 'API key revoked',
    'webhook.created': 'Webhook created',
    'webhook.updated': 'Webhook changed',
    'webhook.deleted': 'Webhook deleted',
    'webhook.secret_rotated': 'Secret of a webhook replaced',
    'webhook.disabled': 'Webhook disabled by the service',
    'webhook.test': 'Test event sent',
    'webhook.retry_requested': 'Event sent again',
    'webhook.replay_requested': 'Events of a period sent again',
  } satisfies Record<EventType, string>,
  /** Returns what distinguishes an event from others of its type. */
  detail: ({ name, service_type, room_name, origin, changed }: Record<string, unknown>) =>
    [service_type, name, room_name, origin, Array.isArray(changed) ? changed.join(', ') : undefined]
      .filter((part) => typeof part === 'string' && part !== '')
      .join(' · ') || undefined,
  actor: (kind: 'user' | 'api_key' | 'client' | 'service', id: string) =>
    ({ user: id, api_key: `API key ${id}`, client: `Machine client ${id}`, service: 'The service' })[kind],
} as const;
