import { Button, Fieldset, Group, NumberInput, Stack, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Prices, Stats } from '../api/types.ts';
import { useExclusiveMutation } from '../api/use-exclusive-mutation.ts';
import { common } from '../strings/common.ts';
import { overview as text } from '../strings/overview.ts';
import { Dialog, usePreventClose } from '../ui/dialog/dialog.tsx';
import { FormFailure } from '../ui/feedback/form-failure.tsx';
import { notifyDone } from '../ui/feedback/notify.ts';
import { QueryView } from '../ui/loading/query-view.tsx';
import { pricesQuery, savePrices, type TaggedPrices } from './queries.ts';

interface Props {
  /** Models that were used, to offer a price for each. */
  models: Stats['models'];
  opened: boolean;
  onClose: () => void;
}

/** Dialog that shows and replaces the user's prices. */
export const PricesDialog = ({ opened, ...props }: Props) => (
  <Dialog title={text.prices} opened={opened} onClose={props.onClose}>
    <PricesView {...props} />
  </Dialog>
);

function PricesView(props: Omit<Props, 'opened'>) {
  const query = useQuery({ ...pricesQuery, refetchOnWindowFocus: false, refetchOnReconnect: false });
  return <QueryView query={query}>{(tagged) => <PricesForm key={tagged.etag} {...props} tagged={tagged} />}</QueryView>;
}

type PriceField = keyof Prices['entries'][string];

/** Fields of a price, by its kind. */
const fieldsByKind: Record<string, readonly PriceField[]> = {
  llm: ['input', 'cached_input', 'output'],
  tts: ['per_million_characters'],
  stt: ['per_minute'],
  call: ['per_minute'],
};
const getFields = (name: string) => fieldsByKind[name.split(':', 1)[0] ?? ''] ?? [];

const pricePattern = /^(?:call|(?:llm|tts|stt):(?:[^/\s*]|[^/\s]{2,80})\/\S{1,120})$/;

/** A price as it is entered. An empty field is an empty text. */
interface Entry {
  name: string;
  price: Partial<Record<PriceField, number | string>>;
}

/** Lists the stored prices, and an empty one for each model that has none. */
function toEntries({ entries }: Prices, models: Stats['models']): Entry[] {
  const named = models.filter(({ provider }) => provider !== 'other');
  const used = named.map(({ kind, provider, model }) => `${kind}:${provider}/${model}`);
  const names = [...new Set([...Object.keys(entries), ...used, 'call'])];
  return names.map((name) => ({ name, price: entries[name] ?? {} }));
}

/** Converts what was entered to prices. Leaves out amounts that their kind does not have, and prices without a number. */
function toPrices(currency: string, entries: readonly Entry[]): Prices {
  const filled = entries.map(({ name, price }): [string, Prices['entries'][string]] => [
    name,
    Object.fromEntries(
      getFields(name).flatMap((field) => (typeof price[field] === 'number' ? [[field, price[field]]] : [])),
    ),
  ]);
  return {
    currency: currency.trim().toUpperCase(),
    entries: Object.fromEntries(filled.filter(([, price]) => Object.keys(price).length > 0)),
    updated_at: null,
  };
}

function PricesForm({ tagged, models, onClose }: Omit<Props, 'opened'> & { tagged: TaggedPrices }) {
  const cache = useQueryClient();
  const [currency, setCurrency] = useState(tagged.prices.currency);
  const [entries, setEntries] = useState(() => toEntries(tagged.prices, models));
  const { mutate, isPending, error } = useExclusiveMutation({
    mutationFn: () => savePrices({ prices: toPrices(currency, entries), etag: tagged.etag }),
    onSuccess: async () => {
      onClose();
      notifyDone(text.pricesSaved);
      await cache.invalidateQueries(pricesQuery);
    },
  });
  usePreventClose(isPending);
  const isCurrency = /^[a-z]{3}$/i.test(currency.trim());
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (isCurrency) mutate();
  };
  const change = (name: string, field: PriceField, value: number | string) =>
    setEntries((all) =>
      all.map((entry) => (entry.name === name ? { name, price: { ...entry.price, [field]: value } } : entry)),
    );
  return (
    <form onSubmit={save} noValidate>
      <Stack>
        <TextInput
          label={text.currency}
          value={currency}
          onChange={({ currentTarget }) => setCurrency(currentTarget.value)}
          error={!isCurrency && text.currencyWrong}
          maxLength={3}
          w={96}
          required
        />
        {entries.map(({ name, price }) => (
          <Fieldset key={name} legend={name === 'call' ? text.everyCall : name}>
            <Group grow gap="xs" align="end">
              {getFields(name).map((field) => (
                <NumberInput
                  key={field}
                  label={text.priceFields[field]}
                  value={price[field] ?? ''}
                  onChange={(value) => change(name, field, value)}
                  min={0}
                  max={1e9}
                  hideControls
                />
              ))}
            </Group>
          </Fieldset>
        ))}
        <AddPrice
          names={entries.map(({ name }) => name)}
          onAdd={(name) => setEntries((all) => [...all, { name, price: {} }])}
        />
        <FormFailure error={error} fields={[]} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isPending}>
            {common.cancel}
          </Button>
          <Button type="submit" loading={isPending}>
            {text.savePrices}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Field that adds a price by its name. */
function AddPrice({ names, onAdd }: { names: readonly string[]; onAdd: (name: string) => void }) {
  const [added, setAdded] = useState('');
  const [fault, setFault] = useState<string>();
  const add = () => {
    const name = added.trim();
    if (!pricePattern.test(name)) return setFault(text.priceNameWrong);
    if (names.includes(name)) return setFault(text.priceThere);
    onAdd(name);
    setAdded('');
    setFault(undefined);
  };
  return (
    <Group align="start" wrap="nowrap">
      <TextInput
        label={text.addPrice}
        description={text.addPriceHelp}
        value={added}
        onChange={({ currentTarget }) => setAdded(currentTarget.value)}
        error={fault}
        flex={1}
        autoComplete="off"
      />
      <Button variant="default" mt={44} onClick={add}>
        {text.add}
      </Button>
    </Group>
  );
}
