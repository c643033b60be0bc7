import { readXml, toLocalName } from './xml.ts';

/** Formats of numbers that matter for their text. */
type NumberFormat = 'plain' | 'percent' | 'date' | 'time' | 'date and time';

/** Numbers of the built-in formats of percentages, dates and times. */
const builtInFormats: Record<number, NumberFormat> = {
  9: 'percent',
  10: 'percent',
  14: 'date',
  15: 'date',
  16: 'date',
  17: 'date',
  18: 'time',
  19: 'time',
  20: 'time',
  21: 'time',
  22: 'date and time',
  45: 'time',
  46: 'time',
  47: 'time',
};

/** Detects the format of a code, such as `dd/mm/yyyy`. */
function detectFormat(code: string): NumberFormat {
  const [positive = ''] = code.replace(/"[^"]*"|\\.|_.|\*.|\[(?!h|m|s)[^[\]]*\]/gi, '').split(';');
  if (positive.includes('%')) return 'percent';
  const hasTime = /[hs]/i.test(positive);
  const hasDate = /[yd]/i.test(positive) || (/m/i.test(positive) && !hasTime);
  if (hasDate) return hasTime ? 'date and time' : 'date';
  return hasTime ? 'time' : 'plain';
}

/** Returns the format of each cell style, in order. */
function readFormats(styles: Uint8Array): NumberFormat[] {
  const custom = new Map<number, NumberFormat>();
  const formats: NumberFormat[] = [];
  let inCellStyles = false;
  readXml(styles, {
    open(tag, { numFmtId = '', formatCode = '' }) {
      const name = toLocalName(tag);
      const id = Number(numFmtId);
      if (name === 'cellXfs') inCellStyles = true;
      if (name === 'numFmt') custom.set(id, detectFormat(formatCode));
      if (name === 'xf' && inCellStyles) formats.push(custom.get(id) ?? builtInFormats[id] ?? 'plain');
    },
    close(tag) {
      if (toLocalName(tag) === 'cellXfs') inCellStyles = false;
    },
  });
  return formats;
}

/** Days from the two starts of Excel's calendars to 1970. */
const daysTo1970 = { 1900: 25_569, 1904: 24_107 };

const dayMs = 86_400_000;

/** Latest day that Excel knows, the end of the year 9999. */
const maxDays = 2_958_466;

function formatDate(days: number, format: NumberFormat, startsIn1904: boolean): string {
  const time = (days - daysTo1970[startsIn1904 ? 1904 : 1900]) * dayMs;
  const [date = '', clock = ''] = new Date(Math.round(time / 1000) * 1000).toISOString().split(/[T.]/);
  const shownClock = clock.replace(/:00$/, '');
  if (format === 'date') return date;
  return format === 'time' ? shownClock : `${date} ${shownClock}`;
}

/** Rounds a number as spreadsheets show it, to 15 digits. */
const round = (number: number) => String(Number(number.toPrecision(15)));

/** Creates a function that formats a number in a cell as its style shows it: a date, a time, a percentage or a number. */
export function createNumberFormatter(styles: Uint8Array | undefined, startsIn1904: boolean) {
  const formats = styles ? readFormats(styles) : [];
  return (value: string, style: number): string => {
    const number = Number(value);
    const format = formats[style] ?? 'plain';
    if (value.trim() === '' || !Number.isFinite(number)) return value;
    if (format === 'percent') return `${round(number * 100)}%`;
    // A time of a day or more is a duration.
    const isDate = format !== 'plain' && number >= 0 && number < (format === 'time' ? 1 : maxDays);
    return isDate ? formatDate(number, format, startsIn1904) : round(number);
  };
}
