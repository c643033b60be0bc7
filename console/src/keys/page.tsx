import { CommandLineIcon, PlusIcon } from '@heroicons/react/24/outline';
import { Button, Paper, Table, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Can } from '../api/identity.ts';
import type { ApiKey } from '../api/types.ts';
import { keys as text } from '../strings/keys.ts';
import { Empty } from '../ui/feedback/empty.tsx';
import { IssuingDialog } from '../ui/issuing/issuing-dialog.tsx';
import { QueryView } from '../ui/loading/query-view.tsx';
import { Page } from '../ui/page/page.tsx';
import classes from '../ui/table/list.module.css';
import { CreateForm } from './create-form.tsx';
import { KeyRow } from './key-row.tsx';
import { keysQuery } from './queries.ts';

/** Page with the API keys, which let workers and programs act as the user. */
export function KeysPage() {
  const query = useQuery(keysQuery);
  const [isCreating, creating] = useDisclosure();
  const create = (
    <Can do="all">
      <Button onClick={creating.open} leftSection={<PlusIcon width={16} aria-hidden />}>
        {text.create}
      </Button>
    </Can>
  );
  return (
    <Page title={text.title} description={text.description} actions={create}>
      <QueryView query={query}>
        {(keys) =>
          keys.length > 0 ? (
            <KeyTable keys={keys} />
          ) : (
            <Empty title={text.noneTitle} icon={<CommandLineIcon width={24} aria-hidden />} action={create}>
              {text.none}
            </Empty>
          )
        }
      </QueryView>
      <IssuingDialog
        title={text.create}
        text={text.secret}
        listKey={keysQuery.queryKey}
        opened={isCreating}
        onClose={creating.close}
      >
        {(issuing) => <CreateForm issuing={issuing} onClose={creating.close} />}
      </IssuingDialog>
    </Page>
  );
}

const KeyTable = ({ keys }: { keys: readonly ApiKey[] }) => (
  <Paper style={{ overflow: 'auto' }}>
    <Table aria-label={text.list} highlightOnHover>
      <Table.Thead className={classes.head}>
        <Table.Tr>
          <Table.Th>{text.column.name}</Table.Th>
          <Table.Th visibleFrom="md">{text.column.scopes}</Table.Th>
          <Table.Th>{text.column.state}</Table.Th>
          <Table.Th visibleFrom="sm" title={text.usedNote}>
            {text.column.used}
          </Table.Th>
          <Table.Th visibleFrom="sm">{text.column.expires}</Table.Th>
          <Table.Th visibleFrom="lg">{text.column.created}</Table.Th>
          <Table.Th w={56}>
            <VisuallyHidden>{text.column.actions}</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {keys.map((key) => (
          <KeyRow key={key.id} apiKey={key} />
        ))}
      </Table.Tbody>
    </Table>
  </Paper>
);
