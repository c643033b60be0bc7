import { ArrowUpTrayIcon, PlusIcon } from '@heroicons/react/24/outline';
import { Alert, Button, Paper, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { Webhook } from '../api/types.ts';
import { webhooks as text } from '../strings/webhooks.ts';
import { Empty } from '../ui/feedback/empty.tsx';
import { IssuingDialog } from '../ui/issuing/issuing-dialog.tsx';
import { QueryView } from '../ui/loading/query-view.tsx';
import { LinkAnchor } from '../ui/page/link.tsx';
import { Page } from '../ui/page/page.tsx';
import classes from '../ui/table/list.module.css';
import { toVisibleName } from '../ui/text/visible-text.ts';
import { CreateForm } from './create-form.tsx';
import { HealthBadge } from './health-badge.tsx';
import { webhooksQuery } from './queries.ts';

/** Page with the webhooks, which send events to the user's own servers. */
export function ListPage() {
  const query = useQuery(webhooksQuery);
  const [isCreating, creating] = useDisclosure();
  const create = (
    <Button onClick={creating.open} leftSection={<PlusIcon width={16} aria-hidden />}>
      {text.create}
    </Button>
  );
  return (
    <Page title={text.title} description={text.description} actions={create}>
      <QueryView query={query}>
        {(webhooks) =>
          webhooks.length > 0 ? (
            <>
              <DisabledNotice webhooks={webhooks} />
              <WebhookTable webhooks={webhooks} />
            </>
          ) : (
            <Empty title={text.noneTitle} icon={<ArrowUpTrayIcon width={24} aria-hidden />} action={create}>
              {text.none}
            </Empty>
          )
        }
      </QueryView>
      <IssuingDialog
        title={text.create}
        text={text.secret}
        listKey={webhooksQuery.queryKey}
        opened={isCreating}
        onClose={creating.close}
      >
        {(issuing) => <CreateForm issuing={issuing} onClose={creating.close} />}
      </IssuingDialog>
    </Page>
  );
}

/** Says that the service has disabled webhooks. */
function DisabledNotice({ webhooks }: { webhooks: readonly Webhook[] }) {
  const count = webhooks.filter(({ disabled_reason }) => disabled_reason !== null).length;
  return (
    count > 0 && (
      <Alert color="yellow" role="status" mb="lg">
        {text.disabledByService(count)}
      </Alert>
    )
  );
}

const WebhookTable = ({ webhooks }: { webhooks: readonly Webhook[] }) => (
  <Paper style={{ overflow: 'auto' }}>
    <Table aria-label={text.list} highlightOnHover layout="fixed">
      <Table.Thead className={classes.head}>
        <Table.Tr>
          <Table.Th>{text.column.url}</Table.Th>
          <Table.Th visibleFrom="sm">{text.column.events}</Table.Th>
          <Table.Th w={130}>{text.column.health}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {webhooks.map((webhook) => (
          <Table.Tr key={webhook.id}>
            <Table.Td>
              <LinkAnchor
                to="/webhooks/$webhookId"
                params={{ webhookId: webhook.id }}
                size="sm"
                className={classes.wrapping}
              >
                {webhook.url}
              </LinkAnchor>
              <Text size="xs" c="dimmed" className={classes.wrapping}>
                {toVisibleName(webhook.description ?? '')}
              </Text>
            </Table.Td>
            <Table.Td visibleFrom="sm" className={classes.wrapping}>
              {webhook.events.join(', ')}
            </Table.Td>
            <Table.Td>
              <HealthBadge health={webhook.health} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Paper>
);
