const number = new Intl.NumberFormat('en');
const oneDecimal = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** Formats a count with thousands separators. */
export const formatCount = (count: number): string => number.format(count);

/** Formats a number with at most one decimal. */
export const formatDecimal = (number: number): string => oneDecimal.format(number);

/** Texts of the overview. */
export const overview = {
  title: 'Overview',
  span: 'Days',
  formatSpan: (days: number) => `${days} days`,
  assistant: 'Assistant',
  everyAssistant: 'All assistants',
  others: 'Others',
  noneTitle: 'No calls in this period',
  none: 'A call shows up here once a worker has saved it.',
  toStart: 'How to take the first call',
  calls: 'Calls',
  minutes: 'Minutes',
  average: 'Average length',
  untimed: (count: number) =>
    count === 1 ? 'The length of one call is unknown.' : `The length of ${formatCount(count)} calls is unknown.`,
  cut: (count: number, day: string) =>
    `There are more calls than can be counted here: these are the newest ${formatCount(count)}, back to ${day} (incomplete).`,
  callsPerDay: 'Calls per day',
  minutesPerDay: 'Minutes per day',
  view: 'Shown as',
  chart: 'Chart',
  table: 'Table',
  inAll: 'All',
  summary: (title: string, total: string, days: number) =>
    `${title}: ${total} in ${days} days. The table lists each day.`,
  day: 'Day',
  byAssistant: 'By assistant',
  lastCalls: 'Last calls',
  allCalls: 'All calls',
  column: { call: 'Call', length: 'Length', when: 'When' },
} as const;
