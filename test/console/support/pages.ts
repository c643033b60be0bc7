import type { Clinic } from './clinic.ts';

/** A page of the console, as the clinic's user sees it. */
export interface ConsolePage {
  /** Heading, which is also in the tab's title. */
  title: string;
  path: (clinic: Clinic) => string;
  /** Text that is visible once the page has loaded; undefined if the page loads nothing. */
  shows?: string;
}

/** All pages of the console. */
export const pages: ConsolePage[] = [
  { title: 'Start', path: () => '/', shows: 'Show the steps' },
  { title: 'Overview', path: () => '/overview', shows: 'Calls per day' },
  { title: 'Assistants', path: () => '/assistants', shows: 'Night line' },
  { title: 'New assistant', path: () => '/assistants/new' },
  { title: 'Copy of Receptionist', path: ({ desk }) => `/assistants/new?from=${desk}`, shows: 'Copy of Receptionist' },
  { title: 'Receptionist', path: ({ desk }) => `/assistants/${desk}`, shows: 'System instruction' },
  { title: 'Versions of Night line', path: ({ night }) => `/assistants/${night}/versions`, shows: 'All versions' },
  { title: 'Knowledge', path: () => '/knowledge', shows: 'prices-and-hours' },
  { title: 'Search all documents', path: () => '/knowledge/search' },
  { title: 'prices-and-hours', path: ({ document }) => `/knowledge/${document}`, shows: 'Receptionist' },
  { title: 'Calls', path: () => '/calls', shows: '+49 30 5550142' },
  { title: '+49 30 5550142', path: ({ call }) => `/calls/${call}`, shows: 'I chipped a tooth' },
  { title: 'Credentials', path: () => '/credentials', shows: 'deepgram' },
  { title: 'API keys', path: () => '/keys', shows: 'Worker in Frankfurt' },
  { title: 'Activity', path: () => '/activity', shows: 'Assistant created' },
];
