/** What is said on more than one page. */
export const common = {
  product: 'Voice assistants',
  title: (page: string) => `${page} · Voice assistants`,
  tryAgain: 'Try again',
  cancel: 'Cancel',
  close: 'Close',
  copy: 'Copy',
  copied: 'Copied',
  copyThis: (name: string) => `Copy: ${name}`,
  loading: 'Loading',
  requestId: 'Request id',
  typeToConfirm: (text: string) => `Type “${text}” to confirm`,
  never: 'Never',
  findAssistant: 'Find an assistant by name',
  noAssistant: 'No assistant of that name',
  show: 'Show',
  hide: 'Hide',
} as const;
