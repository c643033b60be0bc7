import { Badge, Button, Group, NativeSelect, Stack, Table, Text, UnstyledButton } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { Delivery, Webhook } from '../api/types.ts';
import { useExclusiveMutation } from '../api/use-exclusive-mutation.ts';
import { useIdempotencyKey } from '../api/use-idempotency-key.ts';
import { webhooks as text } from '../strings/webhooks.ts';
import { Empty } from '../ui/feedback/empty.tsx';
import { Failure } from '../ui/feedback/failure.tsx';
import { notifyDone } from '../ui/feedback/notify.ts';
import { LoadMore } from '../ui/loading/load-more.tsx';
import { QueryView } from '../ui/loading/query-view.tsx';
import { Section } from '../ui/page/section.tsx';
import list from '../ui/table/list.module.css';
import type { RowPosition } from '../ui/table/use-virtual-rows.ts';
import { TwoLines, VirtualRow, VirtualTable } from '../ui/table/virtual-table.tsx';
import { CodeView } from '../ui/text/code-view.tsx';
import { DescriptionList } from '../ui/text/description-list.tsx';
import { Time } from '../ui/text/time.tsx';
import { parseFilter, statuses } from './filter.ts';
import { deliveriesQuery, sendAgain } from './queries.ts';

const route = getRouteApi('/webhooks/$webhookId');

const colors: Record<Delivery['status'], string> = { pending: 'yellow', delivered: 'green', failed: 'red' };

/** Deliveries of a webhook, filtered by the URL. A row opens to the request and its answers. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const { status } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(deliveriesQuery(webhook.id, { status }));
  const deliveries = useMemo(() => query.data?.pages.flatMap((page) => page.deliveries) ?? [], [query.data]);
  const filter = (
    <NativeSelect
      aria-label={text.state}
      value={status ?? ''}
      onChange={({ currentTarget }) =>
        void navigate({ search: parseFilter({ status: currentTarget.value }), replace: true })
      }
      data={[{ value: '', label: text.anyState }, ...statuses.map((value) => ({ value, label: text.status[value] }))]}
    />
  );
  return (
    <Section title={text.deliveries} hint={text.deliveriesHint} actions={filter}>
      <QueryView query={query}>
        {() => (
          <>
            {deliveries.length > 0 || query.hasNextPage ? (
              <DeliveriesTable webhook={webhook} deliveries={deliveries} hasMore={query.hasNextPage} />
            ) : (
              <Empty title={status ? text.noneFoundTitle : text.noDeliveriesTitle}>
                {status ? text.noneFound : text.noDeliveries}
              </Empty>
            )}
            <LoadMore query={query} />
          </>
        )}
      </QueryView>
    </Section>
  );
}

interface TableProps {
  webhook: Webhook;
  deliveries: Delivery[];
  hasMore: boolean;
}

function DeliveriesTable({ webhook, deliveries, hasMore }: TableProps) {
  const [openIds, setOpenIds] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) => setOpenIds((now) => now.symmetricDifference(new Set([id])));
  return (
    <VirtualTable
      label={text.deliveriesList}
      items={deliveries}
      getKey={({ event_id }) => event_id}
      hasMore={hasMore}
      head={
        <>
          <Table.Th>{text.deliveryColumn.event}</Table.Th>
          <Table.Th w={120}>{text.deliveryColumn.state}</Table.Th>
          <Table.Th w={130} visibleFrom="sm">
            {text.deliveryColumn.time}
          </Table.Th>
        </>
      }
    >
      {(drawn) => (
        <tbody>
          {drawn.map(({ item, ...place }) => (
            <DeliveryRow
              key={item.event_id}
              webhook={webhook}
              delivery={item}
              isOpen={openIds.has(item.event_id)}
              onToggle={() => toggle(item.event_id)}
              {...place}
            />
          ))}
        </tbody>
      )}
    </VirtualTable>
  );
}

interface RowProps extends RowPosition {
  webhook: Webhook;
  delivery: Delivery;
  isOpen: boolean;
  onToggle: () => void;
}

function DeliveryRow({ webhook, delivery, isOpen, onToggle, ...place }: RowProps) {
  const { type, status, attempts, event_id, created_at } = delivery;
  return (
    <VirtualRow {...place}>
      <td>
        <TwoLines
          main={
            <UnstyledButton className={list.name} aria-expanded={isOpen} onClick={onToggle}>
              {type}
            </UnstyledButton>
          }
          more={`${text.attempts(attempts)} · ${event_id}`}
        />
        {isOpen && <DeliveryDetails webhook={webhook} delivery={delivery} />}
      </td>
      <td>
        <Badge variant="dot" color={colors[status]} miw="max-content">
          {text.status[status]}
        </Badge>
      </td>
      <td className={`mantine-visible-from-sm ${list.quiet}`}>
        <Time at={created_at} />
      </td>
    </VirtualRow>
  );
}

/** Request and answers of a delivery, with a button to send it again. */
function DeliveryDetails({ webhook, delivery }: { webhook: Webhook; delivery: Delivery }) {
  const { event_id, payload, history, next_attempt_at } = delivery;
  const cache = useQueryClient();
  const idempotencyKey = useIdempotencyKey();
  const { mutate, isPending, error } = useExclusiveMutation({
    mutationFn: () => sendAgain(webhook.id, event_id, idempotencyKey({ event_id, at: history.at(-1)?.at })),
    onSuccess: async () => {
      notifyDone(text.requested);
      await cache.invalidateQueries({ queryKey: ['webhooks', webhook.id] });
    },
  });
  return (
    <Stack gap="sm" mt="xs">
      {next_attempt_at && <DescriptionList items={[[text.next, <Time key="next" at={next_attempt_at} />]]} />}
      {payload ? (
        <CodeView name={text.request} code={JSON.stringify(payload, null, 2)} />
      ) : (
        <Text size="sm">{text.expired}</Text>
      )}
      {history.map(({ at, status, error: failure, answer, duration_ms }, i) => (
        <div key={at}>
          <Text size="sm">{text.outcome(status, failure, duration_ms)}</Text>
          {answer && <CodeView name={text.answerOf(i + 1)} code={answer} />}
        </div>
      ))}
      {error && <Failure error={error} />}
      <Group>
        <Button
          size="compact-sm"
          variant="default"
          loading={isPending}
          disabled={!webhook.enabled}
          onClick={() => mutate()}
        >
          {text.again}
        </Button>
      </Group>
    </Stack>
  );
}
