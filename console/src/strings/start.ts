interface StepText {
  title: string;
  text: string;
  action: string;
}

/** Texts of the start page. */
export const start = {
  title: 'Start',
  description: 'Five steps to an assistant that takes its first call.',
  steps: 'Steps',
  progress: (done: number, all: number) => `${done} of ${all} done`,
  isDone: 'Done:',
  isOpen: 'To do:',
  step: {
    assistant: {
      title: 'Make an assistant',
      text: 'Give it a name and say what it is and does. Voice, language model and transcriber come with sensible defaults.',
      action: 'New assistant',
    },
    credentials: {
      title: 'Add the keys of its vendors',
      text: 'It uses the vendors that you have chosen to speak, think and listen, with your own keys.',
      action: 'Add a credential',
    },
    document: {
      title: 'Give it a document to know',
      text: 'Such as opening hours, prices or a handbook. The assistant searches it for what callers ask.',
      action: 'Attach a document',
    },
    key: {
      title: 'Make an API key for the worker',
      text: 'The worker is the program that answers the phone. It may take calls and save them, and no more.',
      action: 'New API key',
    },
    call: {
      title: 'Take the first call',
      text: 'Start one of these workers in docs/workers of a clone of the repository, and call it. The call appears here when it has ended.',
      action: 'See your calls',
    },
  } satisfies Record<string, StepText>,
  needs: (name: string) => `“${name}” needs the keys of:`,
  hasKey: 'saved',
  lacksKey: 'missing',
  about: (name: string) => `For “${name}”.`,
  first: 'Make an assistant first.',
  curl: 'With curl',
  tokenNote: 'TOKEN is an API key with the permission “Write”, or your access token.',
  toKeys: 'Make an API key',
  onlyTokenNote: 'TOKEN is your access token: API keys cannot create API keys.',
  ways: 'Ways to connect',
  shell: 'In a shell',
  allDone: 'All set: your assistant takes calls.',
  allDoneText: 'See totals in Overview and transcripts in Calls.',
  takesCalls: 'Your assistants take calls.',
  next: (step: string) => `Still to do: ${step}.`,
  toOverview: 'Open the overview',
  showSteps: 'Show the steps',
  hideSteps: 'Hide the steps',
} as const;
