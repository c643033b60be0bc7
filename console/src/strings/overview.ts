interface ModelUse {
  kind: 'llm' | 'tts' | 'stt';
  input_tokens: number;
  output_tokens: number;
  characters: number;
  minutes: number;
}

const number = new Intl.NumberFormat('en');
const oneDecimal = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** Formats a count with thousands separators. */
export const formatCount = (count: number): string => number.format(count);

/** Formats a number with at most one decimal. */
export const formatDecimal = (number: number): string => oneDecimal.format(number);

/** Formats an amount of money, with more digits if it is small. `currency` is a code such as EUR. */
export const formatMoney = (amount: number, currency: string): string =>
  new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    maximumFractionDigits: amount !== 0 && Math.abs(amount) < 1 ? 4 : 2,
  }).format(amount);

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
  latency: 'Answer, median',
  slowest: 'Answer, 95 %',
  cost: 'Cost',
  formatLatency: (ms: number) => `${formatCount(Math.round(ms))} ms`,
  latencyPerDay: 'Time to answer per day',
  costPerDay: 'Cost per day',
  median: 'Median',
  p95: '95 of 100 are faster',
  daysAreUtc: 'Days are in UTC. Deleted calls are counted, too.',
  download: 'Download as CSV',
  endReasons: 'Why calls ended',
  byModel: 'By model',
  model: 'Model',
  used: 'Used',
  formatUse: ({ kind, input_tokens, output_tokens, characters, minutes }: ModelUse) =>
    ({
      llm: `${formatCount(input_tokens)} + ${formatCount(output_tokens)} tokens`,
      tts: `${formatCount(characters)} characters`,
      stt: `${formatDecimal(minutes)} minutes`,
    })[kind],
  prices: 'Prices',
  currency: 'Currency',
  currencyWrong: 'Three letters, such as EUR',
  everyCall: 'Every call',
  priceFields: {
    input: 'Input, million tokens',
    cached_input: 'Cached, million tokens',
    output: 'Output, million tokens',
    per_million_characters: 'Million characters',
    per_minute: 'Minute',
  },
  addPrice: 'Another model',
  addPriceHelp: 'Kind, provider and model, or * for all models: tts:cartesia/*',
  priceNameWrong: 'Such as llm:openai/gpt-4.1-mini or tts:cartesia/*',
  priceThere: 'This has a price already',
  add: 'Add',
  savePrices: 'Save prices',
  pricesSaved: 'Prices saved. They apply to calls from now on.',
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
