import { Badge, Group, Menu, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { quotas } from '../../../shared/quotas.ts';
import type { ApiKey } from '../api/types.ts';
import { keys as text } from '../strings/keys.ts';
import { quotas as quotaText } from '../strings/quotas.ts';
import { IssuingDialog } from '../ui/issuing/issuing-dialog.tsx';
import classes from '../ui/table/list.module.css';
import { DangerItem, RowMenu } from '../ui/table/row-menu.tsx';
import { Time } from '../ui/text/time.tsx';
import { getKeyState, type KeyState } from './key-state.ts';
import { keysQuery } from './queries.ts';
import { RevokeKey } from './revoke-key.tsx';
import { RotateForm } from './rotate-form.tsx';

const colors: Record<KeyState, string> = { active: 'green', replaced: 'yellow', expired: 'gray' };

export function KeyRow({ apiKey }: { apiKey: ApiKey }) {
  const { name, masked_key, scopes, quota, created_at, last_used_at, expires_at } = apiKey;
  const limited = quotas.filter((one) => quota?.[one] !== undefined);
  const state = getKeyState(apiKey, new Date());
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" className={classes.wrapping}>
          {name}
        </Text>
        <Text c="dimmed" className={classes.key}>
          {masked_key}
        </Text>
        {limited.map((one) => (
          <Text key={one} size="xs" c="dimmed">
            {quotaText.ofKey(one, quota?.[one] ?? 0)}
          </Text>
        ))}
        <Text size="xs" c="dimmed" hiddenFrom="md">
          {scopes.map((scope) => text.scope[scope].name).join(', ')}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="md">
        <Group gap={4}>
          {scopes.map((scope) => (
            <Badge key={scope} color="gray" title={text.scope[scope].help}>
              {text.scope[scope].name}
            </Badge>
          ))}
        </Group>
      </Table.Td>
      <Table.Td>
        <Badge variant="dot" color={colors[state]} miw="max-content">
          {text.state[state]}
        </Badge>
      </Table.Td>
      <Table.Td visibleFrom="sm" className={classes.quiet}>
        <Time at={last_used_at} isHour />
      </Table.Td>
      <Table.Td visibleFrom="sm" className={classes.quiet}>
        <Time at={expires_at} />
      </Table.Td>
      <Table.Td visibleFrom="lg" className={classes.quiet}>
        <Time at={created_at} />
      </Table.Td>
      <Table.Td>
        <Actions apiKey={apiKey} state={state} />
      </Table.Td>
    </Table.Tr>
  );
}

function Actions({ apiKey, state }: { apiKey: ApiKey; state: KeyState }) {
  const { name, masked_key } = apiKey;
  const [isRotating, rotating] = useDisclosure();
  const [isRevoking, revoking] = useDisclosure();
  return (
    <>
      <RowMenu label={text.actionsLabel(name, masked_key)}>
        {state === 'active' && <Menu.Item onClick={rotating.open}>{text.rotate}</Menu.Item>}
        <DangerItem onClick={revoking.open}>{text.revoke}</DangerItem>
      </RowMenu>
      <IssuingDialog
        title={text.rotateTitle(name)}
        text={text.secret}
        listKey={keysQuery.queryKey}
        opened={isRotating}
        onClose={rotating.close}
      >
        {(issuing) => <RotateForm old={apiKey} issuing={issuing} onClose={rotating.close} />}
      </IssuingDialog>
      <RevokeKey apiKey={apiKey} opened={isRevoking} onClose={revoking.close} />
    </>
  );
}
