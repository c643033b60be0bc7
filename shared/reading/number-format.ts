import { format, getFormatInfo, isValidFormat } from 'numfmt';
import { readXml, toLocalName } from './xml.ts';

/** Formats a number, or returns undefined if the format cannot show it. */
type NumberFormat = (number: number, startsIn1904: boolean) => string | undefined;

/** Codes of the built-in formats by their numbers. Those of other languages are dates, which are all written in one way. */
const builtInCodes: Record<number, string> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  12: '# ?/?',
  13: '# ??/??',
  14: 'm/d/yy',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'm/d/yy h:mm',
  37: '#,##0',
  38: '#,##0',
  39: '#,##0.00',
  40: '#,##0.00',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
};

/** Days from the two starts of Excel's calendars to 1970. */
const daysTo1970 = { 1900: 25_569, 1904: 24_107 };

const dayMs = 86_400_000;

/** Latest day that Excel knows, the end of the year 9999. */
const maxDays = 2_958_466;

/** Formats a day, with its time if asked for, in the same way for all countries. */
function formatDate(days: number, startsIn1904: boolean, hasTime: boolean): string | undefined {
  if (days < 0 || days >= maxDays) return undefined;
  const time = (days - daysTo1970[startsIn1904 ? 1904 : 1900]) * dayMs;
  const [date = '', clock = ''] = new Date(Math.round(time / 1000) * 1000).toISOString().split(/[T.]/);
  return hasTime ? `${date} ${clock.replace(/:00$/, '')}` : date;
}

/** Excel allows no longer code. */
const maxCodeLength = 255;

/** Numbers from here on have more digits than a cell shows. */
const maxShown = 1e15;

/** Shows no separators of thousands, so that a search finds the number. */
const showOptions = { grouping: [99] as [number] };

const showAsIs: NumberFormat = () => undefined;

/** Creates a format from its code, such as `dd/mm/yyyy`. A scientific one would hide digits. */
function createFormat(code: string): NumberFormat {
  if (code.length > maxCodeLength || !isValidFormat(code)) return showAsIs;
  const { type } = getFormatInfo(code);
  if (type === 'date' || type === 'datetime')
    return (number, startsIn1904) => formatDate(number, startsIn1904, type === 'datetime');
  if (type === 'general' || type === 'text' || type === 'scientific') return showAsIs;
  return (number) => {
    const canShow = type === 'time' ? number >= 0 && number < maxDays : Math.abs(number) < maxShown;
    return canShow ? format(code, number, showOptions).replace(/\s+/g, ' ').trim() : undefined;
  };
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
      if (name === 'numFmt') custom.set(id, createFormat(formatCode));
      if (name === 'xf' && inCellStyles) formats.push(custom.get(id) ?? createFormat(builtInCodes[id] ?? 'General'));
    },
    close(tag) {
      if (toLocalName(tag) === 'cellXfs') inCellStyles = false;
    },
  });
  return formats;
}

/** Rounds a number as spreadsheets show it, to 15 digits. */
const round = (number: number) => String(Number(number.toPrecision(15)));

/** Creates a function that formats a number in a cell as its style shows it, but dates as `2024-01-31`. */
export function createNumberFormatter(styles: Uint8Array | undefined, startsIn1904: boolean) {
  const formats = styles ? readFormats(styles) : [];
  return (value: string, style: number): string => {
    const number = Number(value);
    if (value.trim() === '' || !Number.isFinite(number)) return value;
    return formats[style]?.(number, startsIn1904) || round(number); // a format can hide a number
  };
}
