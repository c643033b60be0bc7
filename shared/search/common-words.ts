/** Most frequent words of each language, including question words. */
const commonWords = [
  'the of and to in is that it was for on are with as his they be at this have from or had by not but what were we when your can there an which their if will each how them then she he you would so has her him my its been who did',
  'der die und den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr durch man sein wurde sei wenn ich wir',
  'de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont avec son on aux ou cette ses mais comme nous leur été elle être deux vous même fait y aussi sans je',
  'de la que el en y a los se del las un por con no una su para es al lo como más o pero sus le ha me si sin sobre este ya entre cuando todo esta ser son dos también fue había era muy hasta desde',
  'di e il la che in un a per è una con non si da sono le dei come i al nel del della più alla lo anche ma se gli ha delle o dal questo su ai era suo ci nella essere loro tra sua degli mi quando',
  'de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi ao ele das tem à seu sua ou ser quando muito há nos já está eu também só pelo pela até isso ela entre',
  'de van een het en in is dat op te zijn met voor die niet aan er om ook als dan maar bij nog uit door naar heeft hij worden wordt werd deze over of hebben tot ze kan meer geen wel was haar zich dit al',
  'и в не на я что он с как это по но они к у ты из мы за вы так же от бы о его для да она до только уже или если когда есть был было были чтобы при может все том',
].map((words) => new Set(words.split(' ')));

/** Returns the common words of the most likely language only: in English, `die` is not an article. */
export function findCommonWords(words: readonly string[]): string[] {
  let best: string[] = [];
  for (const common of commonWords) {
    const found = words.filter((word) => common.has(word));
    if (found.length > best.length) best = found;
  }
  return best;
}
