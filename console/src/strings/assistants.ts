const field = {
  name: 'Name',
  description: 'Description',
  system_instruction: 'System instruction',
  first_message: 'First message',
  voice: 'Voice',
  llm: 'Language model',
  transcriber: 'Transcriber',
  knowledge_base: 'Vector store',
  transport: 'Transport',
  variables: 'Variables',
  timezone: 'Time zone',
  tools: 'Tools',
  mcp_servers: 'MCP servers',
} as const;

const jsonExpected = {
  value: 'a value is missing or has a mistake',
  name: 'a name in double quotes is missing',
  colon: 'a colon is missing',
  comma: 'a comma or the closing bracket is missing',
  end: 'the JSON has ended before this',
  quote: 'a string has no closing quote on its line (write \\n for a line break)',
} as const;

interface JsonMistake {
  line: number;
  column: number;
  expected: keyof typeof jsonExpected;
}

/** Texts of the assistants' pages. */
export const assistants = {
  title: 'Assistants',
  one: 'Assistant',
  create: 'New assistant',
  search: 'Search by name',
  clearSearch: 'Clear the search',
  noneTitle: 'No assistants yet',
  none: 'An assistant answers calls: it has a prompt, a voice, a language model and a transcriber.',
  noneFound: (name: string) => `No assistant’s name contains “${name}”`,
  found: (count: number, hasMore: boolean) =>
    `${hasMore ? 'More than ' : ''}${count} ${count === 1 ? 'assistant' : 'assistants'} found`,
  list: 'Your assistants, newest first',
  column: { model: 'Model', voice: 'Voice', language: 'Language', edited: 'Edited', actions: 'Actions' },
  actionsLabel: (name: string) => `Actions for ${name}`,
  edit: 'Edit',
  duplicate: 'Duplicate',
  delete: 'Delete',
  copyName: (name: string) => `Copy of ${name}`,
  created: 'Assistant created',
  duplicated: 'Assistant duplicated',
  notAttached: 'The assistant was duplicated, but not all of its documents could be attached',
  saved: 'Saved',
  deleted: 'Assistant deleted',
  deleteTitle: (name: string) => `Delete “${name}”?`,
  deleteText: 'Calls to it will fail from now on. Its knowledge bases and the logs of its calls stay.',

  // Editing
  length: (length: number, max: number) => `${length.toLocaleString('en')} of ${max.toLocaleString('en')} characters`,
  tooLong: (max: number, over: number) =>
    `At most ${max.toLocaleString('en')} characters: remove ${over.toLocaleString('en')}`,
  save: 'Save',
  createIt: 'Create',
  unsaved: 'Unsaved changes',
  edited: 'Edited',
  itsCalls: 'Its calls',
  history: 'History',
  historyHint: 'Who changed this assistant, and which fields.',
  toHistory: 'Show its history',
  discard: 'Discard changes',
  pane: 'View',
  both: 'Form and JSON',
  form: 'Form',
  json: 'JSON',
  try: 'Try',
  talk: 'Talk',
  jsonLabel: 'The assistant as JSON',
  jsonHint: 'The same draft as the form: what you change on one side changes on the other.',
  jsonBroken: 'The JSON has a mistake. Fix it to continue in the form.',
  goToMistake: 'Go to the mistake',
  jsonFault: {
    mistake: ({ line, column, expected }: JsonMistake) => `Line ${line}, column ${column}: ${jsonExpected[expected]}`,
    object: 'It should be an object: { … }',
    unknown: (field: string) => `${field} is not a field of an assistant`,
    be: (field: string, what: string) => `${field} should be ${what}`,
    beObject: (field: string) => `${field} should be an object`,
    beText: (field: string) => `${field} should be text`,
    beList: (field: string, key: string) => `${field} should be a list of objects with a ${key}`,
    beVariables: 'variables should be null, or an object of objects: {"customer": {"default": "there"}}',
    beTextOrNull: (field: string) => `${field} should be text or null`,
    null: (field: string) => `${field} is null, which removes a setting: leave it out instead`,
  },
  sipBroken: 'The SIP settings have a mistake. Fix it to continue in the JSON.',
  discardJson: 'Back to the form’s version',
  copyJson: 'Copy the JSON',
  leaveTitle: 'Leave without saving?',
  leave: 'Leave',
  discardTitle: 'Discard all changes?',
  discardIt: 'Discard',
  changesLost: 'Unsaved changes will be lost.',

  field,
  hint: {
    description: 'A note for people',
    system_instruction: 'What the assistant is, knows and does: the system prompt of its language model.',
    voice: 'Who speaks, and how.',
    llm: 'Decides what to say.',
    transcriber: 'Who listens.',
    knowledge: 'What it may look up while it speaks.',
    transport: 'How calls reach the assistant.',
  },
  systemPlaceholder: 'You are the receptionist of … Answer calls warmly and briefly.',
  basics: 'Basics',
  prompt: 'Prompt',
  whoBegins: 'Who speaks first',
  assistantBegins: 'The assistant',
  callerBegins: 'The caller',
  setting: {
    tts_provider: 'Provider',
    tts_model: 'Model',
    voice_id: 'Voice id',
    language: 'Language',
    llm_provider: 'Provider',
    model: 'Model',
    stt_provider: 'Provider',
    stt_model: 'Model',
    vectorstore_index: 'Vector store index',
    vectorstore_namespace: 'Namespace',
    sip_config: 'SIP settings',
  } as Record<string, string>,
  settingHint: {
    voice_id: 'Leave empty for the vendor’s default',
    sip_config: 'A JSON object. Put secrets in Credentials.',
  } as Record<string, string>,
  knowledge: 'Knowledge',
  attachedLater: 'Create the assistant first, then attach documents.',
  attachedWithIt: (count: number) =>
    `${count === 1 ? 'The document of the original is' : `The ${count} documents of the original are`} attached to the copy when you create it.`,
  ownStore: 'Your own vector store',

  key: {
    missing: (service: string, name: string | undefined) =>
      `No key for ${service} is saved${name === undefined ? '' : ` as “${name}”`}: workers cannot use it yet.`,
    ambiguous: (service: string) =>
      `Several keys for ${service} are saved, none as “default”: name one in a vendor setting “credential”.`,
  },
  toKeys: 'Go to credentials',
  didYouMean: 'Did you mean',
  meant: (name: string) => `${name}?`,

  // Settings of vendors
  vendor: 'Vendor settings',
  vendorHint: 'Numbers, true, false and JSON are taken as such; everything else is text.',
  vendorName: (row: number) => `Name of setting ${row}`,
  vendorValue: (row: number) => `Value of setting ${row}`,
  vendorRemove: (name: string) => `Remove ${name || 'the setting'}`,
  vendorAdd: 'Add a vendor setting',
  vendorFault: {
    nameless: 'A setting needs a name',
    taken: 'This name is taken',
    null: 'Null removes a setting: remove the row instead',
  },
  vendorBroken: 'A vendor setting has a mistake. Fix it to continue in the JSON.',
  kind: { text: 'text', number: 'number', boolean: 'true/false', null: 'null', json: 'JSON' },

  // Deleted while being edited
  gone: 'It was deleted while you were here',
  goneText: 'Nothing can be saved to it any more. What you see is still here, and can become a new assistant.',
  createAnew: 'Create a new assistant from this',

  // Conflict between two versions
  conflictTitle: 'It was changed while you were editing',
  conflictText: 'Choose what to keep of each field in which the two versions differ.',
  conflictSame: 'Both versions are now the same.',
  mine: 'Yours',
  theirs: 'Theirs',
  keepMine: 'Keep all of mine',
  takeTheirs: 'Take all of theirs',
  saveChoice: 'Save selection',
  backToEditing: 'Keep editing',
  changedBy: { me: 'You changed it', them: 'They changed it', both: 'Both changed it' },
  notSet: 'not set',
} as const;
