import type { Client } from '../../support/api.ts';
import { createAssistant } from '../../support/assistants.ts';
import { upload } from '../../support/knowledge-bases.ts';

/** The addresses of all pages, with a word of what each shows to somebody who has one of everything. */
export type Pages = Record<string, { path: string; shows: RegExp }>;

/** Makes one of everything for a user: the pages that there are for it. */
export async function furnish(user: Client): Promise<Pages> {
  const { id: assistant } = (await createAssistant(user, { name: 'Reception' })).body;
  const document = await upload(user, 'We open at nine.', 'hours.txt', {
    path: `/assistants/${assistant}/knowledge-base`,
  });
  const call = await user.post<{ data: { session_id: string } }>('/logs/call-logs', {
    assistant_id: assistant,
    room_name: 'front-desk',
    transcript: [{ role: 'user', content: 'When do you open?' }],
  });
  await user.post('/user-credentials', { service_type: 'openai', api_key: 'sk-something-long' });
  await user.post('/api-keys', { name: 'Worker key', scopes: ['runtime'] });
  return {
    start: { path: '/', shows: /of 5 done/ },
    overview: { path: '/overview', shows: /Calls per day/ },
    assistants: { path: '/assistants', shows: /Reception/ },
    copy: { path: `/assistants/new?from=${assistant}`, shows: /Copy of Reception/ },
    assistant: { path: `/assistants/${assistant}`, shows: /System instruction/ },
    knowledge: { path: '/knowledge', shows: /hours\.txt/ },
    document: { path: `/knowledge/${document.body.data.id}`, shows: /hours\.txt/ },
    calls: { path: '/calls', shows: /When do you open\?/ },
    call: { path: `/calls/${call.body.data.session_id}`, shows: /When do you open\?/ },
    credentials: { path: '/credentials', shows: /openai/ },
    keys: { path: '/keys', shows: /Worker key/ },
  };
}
