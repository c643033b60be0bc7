import { expect, it } from 'vitest';
import { fold } from '../../shared/domain/fold.ts';

it.each([
  ['Köln', 'koln'],
  ['KO\u0308LN', 'koln'],
  ['Große Straße', 'grosse strasse'],
  ['Ｔｅｌ. ２', 'tel. 2'],
  ['Αθήνα', 'αθηνα'],
  ['ที่', 'ที่'],
  ['東京', '東京'],
])('folds "%s" to "%s"', (text, folded) => {
  expect(fold(text)).toBe(folded);
});
