import { label, percent, type Share, shares } from './live.ts';

/** Texts on the versions of an assistant. */
export const versions = {
  label,
  percent,

  // Publish
  publishTitle: 'Publish the draft',
  publishIt: 'Publish',
  saveFirst: 'The draft has unsaved changes, and only what is saved can be published.',
  saveAndContinue: 'Save and continue',
  whatChanges: 'What changes for calls',
  firstTime:
    'Calls get the draft at present, with every edit. Once a version is live, they keep it until you publish again.',
  sameAsLive: 'The draft is the same as what calls get.',
  note: 'Note',
  noteHint: 'What changed and why, for whoever reads the history.',
  when: 'When calls get it',
  atOnce: 'Calls get it at once',
  notYet: 'Publish without making it live',
  published: (version: number, isLive: boolean) =>
    isLive ? `v${version} is live. The next calls get it.` : `v${version} is published, but not live yet.`,
  publishedBefore: (version: number, isLive: boolean) =>
    `The draft is the same as v${version}, which keeps its note.${isLive ? ' The next calls get it.' : ''}`,
  changed: 'It was changed meanwhile',
  changedText: 'Somebody else has changed this since you opened it. Load the changes, then decide again.',
  reload: 'Load the changes',

  // Differences
  noChanges: 'Nothing differs.',
  legend: 'Removed words are crossed out, added words are underlined.',
  kind: { added: 'Added', removed: 'Removed', changed: 'Changed' },
  removedText: 'Removed:',
  addedText: 'Added:',
  before: 'Before',
  after: 'After',
  notSet: 'not set',
  skipped: (lines: number) => `⋯ ${lines} unchanged lines`,

  // History
  title: (name: string) => `Versions of ${name}`,
  page: 'Versions',
  noneTitle: 'No versions yet',
  none: 'A version is a copy of the assistant that never changes, and calls keep it while you edit the draft. Publish the assistant to make its first version.',
  toAssistant: 'Open the assistant',
  all: 'All versions',
  allHint: 'Each one is a copy of the assistant as it was published.',
  list: 'Versions, newest first',
  column: { version: 'Version', share: 'Calls', published: 'Published', actions: 'Actions' },
  by: (who: string) => `by ${who}`,
  noNote: 'No note',
  liveBadge: 'Live',
  actionsLabel: (version: number) => `Actions for v${version}`,
  compare: 'Compare…',
  compareTitle: (version: number) => `Compare v${version}`,
  compareWith: 'Compare with',
  against: { before: 'The version before', live: 'What is live', draft: 'The draft' },
  fromTo: (from: number | null, to: number | null) =>
    `From ${from === null ? 'the draft' : label(from)} to ${to === null ? 'the draft' : label(to)}`,
  firstVersion: 'There is no version before this one.',
  sameVersion: 'Calls get this version.',

  restore: 'Restore into the draft…',
  restoreTitle: (version: number) => `Restore v${version} into the draft?`,
  restoreText: 'The draft is replaced. Knowledge bases stay attached as they are.',
  callsKeep: (versions: readonly Share[]) => `Calls do not change: they keep ${shares(versions)} until you publish.`,
  callsFollow: 'Calls get the draft at present, so they get this at once.',
  restoreIt: 'Restore',
  restored: (version: number) => `The draft is now as v${version} was`,

  makeLive: 'Make live…',
  makeLiveTitle: (version: number) => `Give all calls to v${version}?`,
  makeLiveText: (versions: readonly Share[] | undefined) =>
    `New calls get it within 15 minutes. Calls get ${versions ? shares(versions) : 'the draft'} at present.`,
  makeLiveIt: 'Make live',
  madeLive: (version: number) => `v${version} is live`,
  toDraft: 'Back to the draft…',
  toDraftTitle: 'Give all calls the draft?',
  toDraftText: 'Calls then get every edit of the draft. The versions stay, and you can make one live again.',
  toDraftIt: 'Use the draft',
  draftLive: 'Calls get the draft',

  delete: 'Delete…',
  deleteTitle: (version: number) => `Delete v${version}?`,
  deleteText: 'It can neither be restored nor made live any more. The logs of its calls stay.',
  deleteIt: 'Delete',
  deleted: (version: number) => `v${version} deleted`,

  // What calls get
  whatCallsGet: 'What calls get',
  getDraft: 'Calls get the draft.',
  getVersions: (versions: readonly Share[]) => `Calls get ${shares(versions)}.`,
  since: 'Since',
  changedBy: (who: string) => `, changed by ${who}`,
  share: 'Share the calls between versions',
  shareHint: 'Every call keeps its version, also when you raise the share of the newer one.',
  other: (version: number) => `v${version} together with`,
  shareOf: (version: number) => `Share of v${version}, the newer one`,
  split: (versions: readonly Share[]) => shares(versions),
  saveShares: 'Save shares',
  saved: (versions: readonly Share[]) => `Calls get ${shares(versions)}`,
  giveAll: (version: number) => `Give all calls to v${version}…`,

  // Numbers of the live versions
  lastDays: 'Last 7 days',
  usageColumn: { version: 'Version', calls: 'Calls', p50: 'Answer, median', p95: '95 %', cost: 'Cost' },
} as const;
