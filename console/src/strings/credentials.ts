import type { VendorUse } from '../../../shared/openapi/vendors.ts';

/** Texts of the credentials' page. */
export const credentials = {
  title: 'Credentials',
  description: 'The keys of your vendors, kept encrypted. Only the workers that answer your calls are given them.',
  add: 'Add a credential',
  noneTitle: 'No credentials yet',
  none: 'Your assistants use vendors such as Cartesia, OpenAI or Deepgram to speak, think and listen. Add the key that each of them gave you.',
  list: 'Your credentials, by service and name',
  column: { service: 'Service', name: 'Name', key: 'Key', changed: 'Changed', actions: 'Actions' },
  actionsLabel: (service: string, name: string) => `Actions for ${service}, ${name}`,
  use: { tts: 'Voice', llm: 'Language model', stt: 'Transcriber' } satisfies Record<VendorUse, string>,

  // The dialog
  replaceTitle: (service: string, name: string) => `Replace the key of ${service}, “${name}”`,
  service: 'Service',
  serviceHelp: 'The vendor this key belongs to. Use the same name as in your assistants.',
  name: 'Name',
  nameHelp: 'Distinguishes several keys of one service. Assistants that name none use the one called “default”.',
  key: 'Key',
  keyHelp: 'It is encrypted and not shown again: from here on you will see its last four characters.',
  overwrites: (masked: string) =>
    `You have a credential of this service and name already (${masked}). Saving replaces its key.`,
  save: 'Save',
  replace: 'Replace',
  replaceText: 'Workers pick up the new key within 15 minutes.',
  saved: 'Credential saved',
  replaced: 'Key replaced',

  delete: 'Delete',
  deleteTitle: (service: string, name: string) => `Delete the credential of ${service}, “${name}”?`,
  deleteText:
    'Assistants that need it can take no calls from now on. The key itself stays valid with the vendor: revoke it there, too.',
  deleted: 'Credential deleted',
} as const;
