const units = ['B', 'KB', 'MB', 'GB'];

const numberFormat = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

/** Formats bytes for people: '251 B', '1.2 MB'. A kilobyte is 1,000 bytes. */
export function formatFileSize(bytes: number): string {
  let [size, unit] = [bytes, 0];
  // 999,500 bytes would round to 1,000 KB.
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${numberFormat.format(size)} ${units[unit]}`;
}
