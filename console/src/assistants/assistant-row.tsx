import { Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { memo } from 'react';
import type { Assistant } from '../api/types.ts';
import { assistants as text } from '../strings/assistants.ts';
import { LinkAnchor } from '../ui/link.tsx';
import list from '../ui/list.module.css';
import { Lines, Row } from '../ui/long-table.tsx';
import { DangerItem, RowMenu } from '../ui/row-menu.tsx';
import { Time } from '../ui/time.tsx';
import type { RowPlace } from '../ui/virtual-rows.ts';
import { nameToShow } from '../ui/visible.ts';
import { DeleteAssistant } from './delete-assistant.tsx';

interface Props extends RowPlace {
  assistant: Assistant;
}

/** Not drawn anew as the list is scrolled. */
export const AssistantRow = memo(function AssistantRow({ assistant, ...place }: Props) {
  const { id, name, description, voice, llm, updated_at } = assistant;
  return (
    <Row {...place}>
      <td>
        <Lines
          main={
            <LinkAnchor to="/assistants/$assistantId" params={{ assistantId: id }} className={list.name}>
              {nameToShow(name)}
            </LinkAnchor>
          }
          more={description}
        />
      </td>
      <td className="mantine-visible-from-md">
        <Lines main={llm.model} more={llm.llm_provider} />
      </td>
      <td className="mantine-visible-from-md">
        <Lines main={voice.tts_model} more={voice.tts_provider} />
      </td>
      <td className="mantine-visible-from-lg">{voice.language}</td>
      <td className={`mantine-visible-from-sm ${list.quiet}`}>
        <Time at={updated_at} />
      </td>
      <td>
        <Actions assistant={assistant} />
      </td>
    </Row>
  );
});

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
