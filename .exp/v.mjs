import { termOf } from './words.ts';
for (const w of 'haustiere gehalten werden halten haltung dürfen darf wohnung hund hunde schlüssel schluessel neuer verloren verlust wen rufe rohrbruch wasserrohrbruch erreichen kostet wäsche waschen'.split(' ')) console.log(w, termOf(w,1));
