import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as english } from '@orama/stemmers/english';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as spanish } from '@orama/stemmers/spanish';

interface Language {
  stem(word: string): string;
  /** Its commonest words, by which a text tells that it is in this language. */
  common: Set<string>;
}

const language = (stem: (word: string) => string, common: string): Language => ({
  stem,
  common: new Set(common.split(' ')),
});

/** Languages by number. An index names them so: add at the end, and never take one away without a new version. */
export const languages: readonly Language[] = [
  language(english, 'the of and to in is that it was for on are with as his they be at this have from or had by not but what were we when your can there an which their if will each how them then she he you would so has her him my its been who did'),
  language(german, 'der die und den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr durch man sein wurde sei wenn ich wir'),
  language(french, 'de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont avec son on aux ou cette ses mais comme nous leur été elle être deux vous même fait y aussi sans je'),
  language(spanish, 'de la que el en y a los se del las un por con no una su para es al lo como más o pero sus le ha me si sin sobre este ya entre cuando todo esta ser son dos también fue había era muy hasta desde'),
  language(italian, 'di e il la che in un a per è una con non si da sono le dei come i al nel del della più alla lo anche ma se gli ha delle o dal questo su ai era suo ci nella essere loro tra sua degli mi quando'),
  language(portuguese, 'de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi ao ele das tem à seu sua ou ser quando muito há nos já está eu também só pelo pela até isso ela entre'),
  language(dutch, 'de van een het en in is dat op te zijn met voor die niet aan er om ook als dan maar bij nog uit door naar heeft hij worden wordt werd deze over of hebben tot ze kan meer geen wel was haar zich dit al'),
  language(russian, 'и в не на я что он с как это по но они к у ты из мы за вы так же от бы о его для да она до только уже или если когда есть был было были чтобы при может все том'),
];

/** The number of the language whose common words are most frequent among these; of English, where none is. */
export function languageOf(words: readonly string[]): number {
  let best = 0;
  let most = 0;
  for (const [number, { common }] of languages.entries()) {
    let count = 0;
    for (const word of words) if (common.has(word)) count++;
    if (count > most) [best, most] = [number, count];
  }
  return best;
}
