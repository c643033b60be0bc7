import { Menu, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { memo } from 'react';
import type { Assistant } from '../api/types.ts';
import { assistants as text } from '../strings/assistants.ts';
import { LinkAnchor } from '../ui/link.tsx';
import list from '../ui/list.module.css';
import { DangerItem, RowMenu } from '../ui/row-menu.tsx';
import { Time } from '../ui/time.tsx';
import { type RowPlace, rowAt } from '../ui/virtual-rows.tsx';
import { nameToShow } from '../ui/visible.ts';
import { DeleteAssistant } from './delete-assistant.tsx';

interface Props extends RowPlace {
  assistant: Assistant;
}

/** Not drawn anew as the list is scrolled. */
export const AssistantRow = memo(function AssistantRow({ assistant, ...place }: Props) {
  const { id, name, description, voice, llm, updated_at } = assistant;
  return (
    <Table.Tr {...rowAt(place)}>
      <Table.Td>
        <LinkAnchor to="/assistants/$assistantId" params={{ assistantId: id }} className={list.name}>
          {nameToShow(name)}
        </LinkAnchor>
        <Text size="xs" c="dimmed" truncate>
          {description || '\u00a0'}
        </Text>
      </Table.Td>
      <Cell visibleFrom="md" main={llm.model} more={llm.llm_provider} />
      <Cell visibleFrom="md" main={voice.tts_model} more={voice.tts_provider} />
      <Table.Td visibleFrom="lg">{voice.language}</Table.Td>
      <Table.Td visibleFrom="sm" className={list.quiet}>
        <Time at={updated_at} />
      </Table.Td>
      <Table.Td>
        <Actions assistant={assistant} />
      </Table.Td>
    </Table.Tr>
  );
});

const Cell = ({ main, more, visibleFrom }: { main: string; more: string; visibleFrom: 'md' }) => (
  <Table.Td visibleFrom={visibleFrom}>
    <Text size="sm" truncate>
      {main}
    </Text>
    <Text size="xs" c="dimmed" truncate>
      {more}
    </Text>
  </Table.Td>
);

function Actions({ assistant: { id, name } }: { assistant: Assistant }) {
  const navigate = useNavigate();
  const [isDeleting, deleting] = useDisclosure();
  return (
    <>
      <RowMenu label={text.actionsOf(name)}>
        <Menu.Item onClick={() => void navigate({ to: '/assistants/$assistantId', params: { assistantId: id } })}>
          {text.edit}
        </Menu.Item>
        <Menu.Item onClick={() => void navigate({ to: '/assistants/new', search: { from: id } })}>
          {text.duplicate}
        </Menu.Item>
        <DangerItem onClick={deleting.open}>{text.delete}</DangerItem>
      </RowMenu>
      <DeleteAssistant id={id} name={name} opened={isDeleting} onClose={deleting.close} />
    </>
  );
}
