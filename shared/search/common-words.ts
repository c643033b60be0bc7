/** Most frequent words of each language, including question words. */
const commonWords = Object.entries({
  en: 'the of and to in is that it was for on are with as his they be at this have from or had by not but what were we when your can there an which their if will each how them then she he you would so has her him my its been who did',
  de: 'der die und den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr durch man sein wurde sei wenn ich wir',
  fr: 'de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont avec son on aux ou cette ses mais comme nous leur été elle être deux vous même fait y aussi sans je',
  es: 'de la que el en y a los se del las un por con no una su para es al lo como más o pero sus le ha me si sin sobre este ya entre cuando todo esta ser son dos también fue había era muy hasta desde',
  it: 'di e il la che in un a per è una con non si da sono le dei come i al nel del della più alla lo anche ma se gli ha delle o dal questo su ai era suo ci nella essere loro tra sua degli mi quando',
  pt: 'de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi ao ele das tem à seu sua ou ser quando muito há nos já está eu também só pelo pela até isso ela entre',
  nl: 'de van een het en in is dat op te zijn met voor die niet aan er om ook als dan maar bij nog uit door naar heeft hij worden wordt werd deze over of hebben tot ze kan meer geen wel was haar zich dit al',
  ru: 'и в не на я что он с как это по но они к у ты из мы за вы так же от бы о его для да она до только уже или если когда есть был было были чтобы при может все том',
  ro: 'de și în a la cu pe un o din care nu mai este să ce sunt au fost pentru că sau ca al ale se prin fi dar după cât cum când unde cine era unei unui lui ei le ne îi își despre acest această dintre între',
  tr: 've bir bu da de için ile çok gibi olarak daha en olan ne kadar ise sonra her veya ya o mi nasıl hangi nedir kim kaç neden nerede zaman var değil ancak tarafından göre',
  vi: 'và của là có được cho trong một không các người những với để khi này đã từ đến như cũng về ra đó ở gì nào bao nhiêu ai tại sao thì mà hay năm vào theo sẽ bị',
  cs: 'v se na je že to do jsou si by pro ve po ale jako za od jeho byl být nebo který která které při jsem mezi však kde kdy co jak tak už než ještě',
  sk: 'v sa na je že to do aj sú si by pre vo po ale ako za od jeho bol byť alebo ktorý ktorá ktoré pri som medzi však kde kedy čo tak už než ešte',
  pl: 'w z na do się nie to jest że jak po co od za dla przez ale są był było oraz który która które jego jej tylko już czy może tak kiedy gdzie przy być',
  hr: 'u je na se da za su od što kao iz koji koja koje ne ili ali te po sa bi bio biti nije do kako kada gdje li sam smo',
  hu: 'az és hogy nem is egy ez meg volt csak már mint vagy ha el azt van még lesz kell mi ki hol mikor amely akkor minden után',
}).map(([language, words]) => ({ language, words: new Set(words.split(' ')) }));

/** Returns the language with the most common words among some words, and these. */
function findLanguage(words: readonly string[]): { language: string; found: string[] } {
  let best = { language: '', found: [] as string[] };
  for (const { language, words: common } of commonWords) {
    const found = words.filter((word) => common.has(word));
    if (found.length > best.found.length) best = { language, found };
  }
  return best;
}

/** Returns the common words of the most likely language only: in English, `die` is not an article. */
export const findCommonWords = (words: readonly string[]): string[] => findLanguage(words).found;

/** Smallest share of common words that tells a language. Texts have 15 % in Turkish to 45 % in English, and others of a language. */
const minShare = 0.1;

/** Returns the language of the words of a text, or undefined if too few are common in any. Related languages may be confused. */
export function detectLanguage(words: readonly string[]): string | undefined {
  const { language, found } = findLanguage(words);
  return found.length > minShare * words.length ? language : undefined;
}
