import { Alert, Button, Menu, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Webhook } from '../api/types.ts';
import { useExclusiveMutation } from '../api/use-exclusive-mutation.ts';
import { webhooks as text } from '../strings/webhooks.ts';
import { notifyDone, notifyFailed } from '../ui/feedback/notify.ts';
import { IssuingDialog } from '../ui/issuing/issuing-dialog.tsx';
import { QueryView } from '../ui/loading/query-view.tsx';
import { BackLink } from '../ui/page/back-link.tsx';
import { Page } from '../ui/page/page.tsx';
import { Section } from '../ui/page/section.tsx';
import { DangerItem, RowMenu } from '../ui/table/row-menu.tsx';
import { DescriptionList } from '../ui/text/description-list.tsx';
import { Time } from '../ui/text/time.tsx';
import { DeleteWebhook } from './delete-webhook.tsx';
import { Deliveries } from './deliveries.tsx';
import { EditWebhook } from './edit-webhook.tsx';
import { HealthBadge } from './health-badge.tsx';
import { sendTest, updateWebhook, webhookQuery, webhooksQuery } from './queries.ts';
import { ReplayDialog } from './replay-dialog.tsx';
import { RotateForm } from './rotate-form.tsx';

const route = getRouteApi('/webhooks/$webhookId');

/** Page of one webhook: its health, and what was sent. */
export function OnePage() {
  const { webhookId } = route.useParams();
  const query = useQuery(webhookQuery(webhookId));
  return (
    <Page
      title={query.data ? new URL(query.data.url).host : text.title}
      description={<BackLink to="/webhooks">{text.all}</BackLink>}
      actions={query.data && <Actions webhook={query.data} />}
    >
      <QueryView query={query}>
        {(webhook) => (
          <Stack gap="lg">
            <Notice webhook={webhook} />
            <About webhook={webhook} />
            <Deliveries webhook={webhook} />
          </Stack>
        )}
      </QueryView>
    </Page>
  );
}

/** Says why a webhook gets no events at present. */
function Notice({ webhook: { enabled, disabled_reason, health } }: { webhook: Webhook }) {
  const reason = disabled_reason === 'failing' || disabled_reason === 'gone' ? disabled_reason : 'you';
  const notice = enabled ? health.status === 'resting' && text.restingText : text.disabledText[reason];
  return (
    notice && (
      <Alert color="yellow" role="status">
        {notice}
      </Alert>
    )
  );
}

function About({ webhook }: { webhook: Webhook }) {
  const { url, description, events, include, headers, masked_secret, health } = webhook;
  const { failing_since, next_probe_at, last_failure } = health;
  return (
    <Section title={text.about} actions={<HealthBadge health={health} />}>
      <DescriptionList
        items={[
          [text.url, url],
          ...(description ? [[text.note, description] as const] : []),
          [text.events, events.join(', ')],
          [text.includes, include.length > 0 ? text.transcripts : text.nothing],
          ...(headers.length > 0 ? [[text.headers, headers.join(', ')] as const] : []),
          [text.masked, masked_secret],
          ...(failing_since ? [[text.failingSince, <Time key="since" at={failing_since} />] as const] : []),
          ...(next_probe_at ? [[text.nextProbe, <Time key="probe" at={next_probe_at} />] as const] : []),
          ...(last_failure ? [[text.lastFailure, String(last_failure.status ?? last_failure.error)] as const] : []),
          ...(last_failure ? [[text.lastFailureAt, <Time key="failure" at={last_failure.at} />] as const] : []),
        ]}
      />
    </Section>
  );
}

function Actions({ webhook }: { webhook: Webhook }) {
  const { id, enabled, updated_at } = webhook;
  const cache = useQueryClient();
  const [isEditing, editing] = useDisclosure();
  const [isRotating, rotating] = useDisclosure();
  const [isReplaying, replaying] = useDisclosure();
  const [isDeleting, deleting] = useDisclosure();
  const refresh = () => cache.invalidateQueries(webhooksQuery);
  const testing = useExclusiveMutation({
    mutationFn: () => sendTest(id, crypto.randomUUID()),
    onSuccess: () => {
      notifyDone(text.tested);
      void refresh();
    },
    onError: notifyFailed,
  });
  const switching = useExclusiveMutation({
    mutationFn: () => updateWebhook(id, { enabled: !enabled }),
    onSuccess: async () => {
      notifyDone(enabled ? text.disabled : text.enabled);
      await refresh();
    },
    onError: notifyFailed,
  });
  return (
    <>
      <RowMenu label={text.actions}>
        <Menu.Item onClick={editing.open}>{text.edit}</Menu.Item>
        <Menu.Item onClick={rotating.open}>{text.rotate}</Menu.Item>
        {enabled && <Menu.Item onClick={replaying.open}>{text.replay}</Menu.Item>}
        <Menu.Item onClick={() => switching.mutate()}>{enabled ? text.disable : text.enable}</Menu.Item>
        <DangerItem onClick={deleting.open}>{text.remove}</DangerItem>
      </RowMenu>
      <Button loading={testing.isPending} disabled={!enabled} onClick={() => testing.mutate()}>
        {text.test}
      </Button>
      <EditWebhook key={updated_at} webhook={webhook} opened={isEditing} onClose={editing.close} />
      <IssuingDialog
        title={text.rotateTitle}
        text={text.secret}
        listKey={webhooksQuery.queryKey}
        opened={isRotating}
        onClose={rotating.close}
      >
        {(issuing) => <RotateForm id={id} issuing={issuing} onClose={rotating.close} />}
      </IssuingDialog>
      <ReplayDialog id={id} opened={isReplaying} onClose={replaying.close} />
      <DeleteWebhook webhook={webhook} opened={isDeleting} onClose={deleting.close} />
    </>
  );
}
