import { KeyIcon, PlusIcon } from '@heroicons/react/24/outline';
import { Button, Paper, Table, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Can } from '../api/identity.ts';
import type { Credential } from '../api/types.ts';
import { credentials as text } from '../strings/credentials.ts';
import { Empty } from '../ui/feedback/empty.tsx';
import { QueryView } from '../ui/loading/query-view.tsx';
import { Page } from '../ui/page/page.tsx';
import classes from '../ui/table/list.module.css';
import { CredentialDialog } from './credential-dialog.tsx';
import { CredentialRow } from './credential-row.tsx';
import { credentialsQuery } from './queries.ts';

/** Page with the credentials. Shows only the last characters of each key. */
export function CredentialsPage() {
  const query = useQuery(credentialsQuery);
  const [isAdding, adding] = useDisclosure();
  const add = (
    <Can do="write">
      <Button onClick={adding.open} leftSection={<PlusIcon width={16} aria-hidden />}>
        {text.add}
      </Button>
    </Can>
  );
  return (
    <Page title={text.title} description={text.description} actions={add}>
      <QueryView query={query}>
        {(credentials) =>
          credentials.length > 0 ? (
            <CredentialTable credentials={credentials} />
          ) : (
            <Empty title={text.noneTitle} icon={<KeyIcon width={24} aria-hidden />} action={add}>
              {text.none}
            </Empty>
          )
        }
      </QueryView>
      <CredentialDialog credentials={query.data ?? []} opened={isAdding} onClose={adding.close} />
    </Page>
  );
}

const CredentialTable = ({ credentials }: { credentials: readonly Credential[] }) => (
  <Paper style={{ overflow: 'auto' }}>
    <Table aria-label={text.list} highlightOnHover>
      <Table.Thead className={classes.head}>
        <Table.Tr>
          <Table.Th>{text.column.service}</Table.Th>
          <Table.Th miw="4.75rem">{text.column.name}</Table.Th>
          <Table.Th>{text.column.key}</Table.Th>
          <Table.Th visibleFrom="sm">{text.column.changed}</Table.Th>
          <Table.Th w={56}>
            <VisuallyHidden>{text.column.actions}</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {credentials.map((credential) => (
          <CredentialRow key={credential.id} credential={credential} all={credentials} />
        ))}
      </Table.Tbody>
    </Table>
  </Paper>
);
