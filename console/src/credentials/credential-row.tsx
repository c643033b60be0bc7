import { Menu, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Can } from '../api/identity.ts';
import type { Credential } from '../api/types.ts';
import { credentials as text } from '../strings/credentials.ts';
import classes from '../ui/table/list.module.css';
import { DangerItem, RowMenu } from '../ui/table/row-menu.tsx';
import { Time } from '../ui/text/time.tsx';
import { CredentialDialog } from './credential-dialog.tsx';
import { DeleteCredential } from './delete-credential.tsx';
import { listUses } from './services.ts';

export function CredentialRow({ credential, all }: { credential: Credential; all: readonly Credential[] }) {
  const { service_type, name, masked_key, updated_at } = credential;
  const uses = listUses(service_type).map((use) => text.use[use]);
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" className={classes.wrapping}>
          {service_type}
        </Text>
        {uses.length > 0 && (
          <Text size="xs" c="dimmed">
            {uses.join(', ')}
          </Text>
        )}
      </Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>{name}</Table.Td>
      <Table.Td className={classes.key}>{masked_key}</Table.Td>
      <Table.Td visibleFrom="sm" className={classes.quiet}>
        <Time at={updated_at} />
      </Table.Td>
      <Table.Td>
        <Can do="write">
          <Actions credential={credential} all={all} />
        </Can>
      </Table.Td>
    </Table.Tr>
  );
}

function Actions({ credential, all }: { credential: Credential; all: readonly Credential[] }) {
  const [isReplacing, replacing] = useDisclosure();
  const [isDeleting, deleting] = useDisclosure();
  return (
    <>
      <RowMenu label={text.actionsLabel(credential.service_type, credential.name)}>
        <Menu.Item onClick={replacing.open}>{text.replace}</Menu.Item>
        <DangerItem onClick={deleting.open}>{text.delete}</DangerItem>
      </RowMenu>
      <CredentialDialog replaced={credential} credentials={all} opened={isReplacing} onClose={replacing.close} />
      <DeleteCredential credential={credential} opened={isDeleting} onClose={deleting.close} />
    </>
  );
}
