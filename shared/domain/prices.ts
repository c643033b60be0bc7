import { type Fault, Invalid, maxFaults, truncateKey } from '../errors.ts';
import { toEnvelope } from '../schemas/common.ts';
import { type NewPrices, type Price, type Prices, priceName } from '../schemas/usage.ts';
import { toEtag } from './etag.ts';

/** Prices as stored. */
export interface StoredPrices extends Prices {
  revision: number;
}

/** Amounts that a price has, by its kind. */
const amountsByKind = new Map<string, readonly (keyof Price)[]>([
  ['llm', ['input', 'cached_input', 'output']],
  ['tts', ['per_million_characters']],
  ['stt', ['per_minute']],
  ['call', ['per_minute']],
]);

/** Returns the amounts that the price of this name has. */
const listAmounts = (name: string): readonly string[] => amountsByKind.get(name.split(':', 1)[0] ?? '') ?? [];

/** Returns what is wrong with the price of a name. Undefined if it is right. */
function findPriceFault(name: string, price: Price): Fault | undefined {
  const loc = ['body', 'entries', truncateKey(name)];
  if (!priceName.test(name)) {
    const msg =
      'A price should be named call, or by kind, provider and model or *: llm:openai/gpt-4.1-mini, tts:cartesia/*';
    return { loc, msg, type: 'price_name' };
  }
  const amounts = listAmounts(name);
  if (amounts.some((amount) => price[amount as keyof Price] !== undefined)) return undefined;
  return { loc, msg: `A price of this kind should have ${amounts.join(', ')}`, type: 'price_amount' };
}

/** Throws Invalid if prices have wrong names, or none of the amounts of their kinds: calls would cost nothing. */
export function checkPrices({ entries }: NewPrices): void {
  const faults = Object.entries(entries).flatMap(([name, price]) => findPriceFault(name, price) ?? []);
  if (faults.length > 0) throw new Invalid(faults.slice(0, maxFaults));
}

/** Lists the amounts that prices do not have by their kinds, as sent. */
export const listIgnoredAmounts = ({ entries }: { entries: Record<string, object> }): string[] =>
  Object.entries(entries).flatMap(([name, price]) => {
    const amounts = listAmounts(name);
    return Object.keys(price).flatMap((key) => (amounts.includes(key) ? [] : [`entries.${name}.${key}`]));
  });

/** Builds the result of reading or saving prices. */
export const toPricesResult = (message: string, { revision, currency, entries, updated_at }: StoredPrices) => ({
  body: toEnvelope(message, { currency, entries, updated_at }),
  etag: toEtag(revision, 'prices'),
});
