const units = ['B', 'KB', 'MB', 'GB'];

const number = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

/** So many bytes, as people read them: '251 B', '1.2 MB'. A kilobyte is 1,000 bytes. */
export function fileSize(bytes: number): string {
  let [size, unit] = [bytes, 0];
  // 999,500 bytes would be rounded to 1,000 KB.
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${number.format(size)} ${units[unit]}`;
}
