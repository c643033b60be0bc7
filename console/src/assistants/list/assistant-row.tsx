import { Badge, Group, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { memo } from 'react';
import { Can } from '../../api/identity.ts';
import type { Assistant } from '../../api/types.ts';
import { assistants as text } from '../../strings/assistants.ts';
import { live } from '../../strings/live.ts';
import { LinkAnchor } from '../../ui/page/link.tsx';
import list from '../../ui/table/list.module.css';
import { DangerItem, RowMenu } from '../../ui/table/row-menu.tsx';
import type { RowPosition } from '../../ui/table/use-virtual-rows.ts';
import { TwoLines, VirtualRow } from '../../ui/table/virtual-table.tsx';
import { Time } from '../../ui/text/time.tsx';
import { toVisibleName } from '../../ui/text/visible-text.ts';
import { DeleteAssistant } from '../delete-assistant.tsx';

interface Props extends RowPosition {
  assistant: Assistant;
}

/** Row of an assistant. Memoized, so that scrolling does not re-render it. */
export const AssistantRow = memo(function AssistantRow({ assistant, ...place }: Props) {
  const { id, name, description, voice, llm, updated_at, has_unpublished_changes } = assistant;
  const link = (
    <LinkAnchor to="/assistants/$assistantId" params={{ assistantId: id }} className={list.name}>
      {toVisibleName(name)}
    </LinkAnchor>
  );
  return (
    <VirtualRow {...place}>
      <td>
        <TwoLines
          main={
            has_unpublished_changes ? (
              <Group gap="xs" wrap="nowrap">
                {link}
                <Badge size="sm" color="yellow" flex="none">
                  {live.unpublishedShort}
                </Badge>
              </Group>
            ) : (
              link
            )
          }
          more={description}
        />
      </td>
      <td className="mantine-visible-from-md">
        <TwoLines main={llm.model} more={llm.llm_provider} />
      </td>
      <td className="mantine-visible-from-md">
        <TwoLines main={voice.tts_model} more={voice.tts_provider} />
      </td>
      <td className="mantine-visible-from-lg">{voice.language}</td>
      <td className={`mantine-visible-from-sm ${list.quiet}`}>
        <Time at={updated_at} />
      </td>
      <td>
        <Can do="write">
          <Actions assistant={assistant} />
        </Can>
      </td>
    </VirtualRow>
  );
});

function Actions({ assistant: { id, name } }: { assistant: Assistant }) {
  const navigate = useNavigate();
  const [isDeleting, deleting] = useDisclosure();
  return (
    <>
      <RowMenu label={text.actionsLabel(name)}>
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
