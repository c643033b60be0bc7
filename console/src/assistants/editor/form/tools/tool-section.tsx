import { Badge, Button, Group, Menu, Stack, Text } from '@mantine/core';
import { tools as text } from '../../../../strings/tools.ts';
import { DangerItem, RowMenu } from '../../../../ui/table/row-menu.tsx';
import { toolTypes } from '../../../draft/tool-shape.ts';
import { newTools } from '../../../draft/tools.ts';
import type { EditedTool } from '../../edited-tool.tsx';
import type { EditedDraft } from '../../use-draft.ts';

interface Props {
  draft: EditedDraft;
  /** Opens the dialog of a tool. */
  onEdit: (edited: EditedTool) => void;
}

/** Tools of an assistant. */
export function ToolSection({ draft: { form }, onEdit }: Props) {
  const { tools, mcp_servers: servers } = form.values;
  const remove = (index: number) => form.setFieldValue('tools', tools.toSpliced(index, 1));
  return (
    <div data-path="tools" tabIndex={-1}>
      <Stack gap="sm">
        {tools.length === 0 && (
          <Text size="sm" c="dimmed">
            {text.none}
          </Text>
        )}
        {tools.length > 0 && (
          <Stack component="ul" gap="xs" m={0} p={0} aria-label={text.list} style={{ listStyle: 'none' }}>
            {tools.map((tool, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: names may be empty or equal while they are edited
              <Group component="li" key={index} gap="sm" wrap="nowrap" justify="space-between">
                <Stack gap={0} miw={0}>
                  <Group gap="xs">
                    <Text size="sm" fw={500} ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                      {tool.name}
                    </Text>
                    <Badge variant="light" size="sm" tt="none">
                      {text.type[tool.type]}
                    </Badge>
                  </Group>
                  {tool.description && (
                    <Text size="sm" c="dimmed" lineClamp={2}>
                      {tool.description}
                    </Text>
                  )}
                </Stack>
                <RowMenu label={text.actions(tool.name ?? '')}>
                  <Menu.Item onClick={() => onEdit({ tool, index })}>{text.edit}</Menu.Item>
                  <DangerItem onClick={() => remove(index)}>{text.remove}</DangerItem>
                </RowMenu>
              </Group>
            ))}
          </Stack>
        )}
        {form.errors.tools && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {form.errors.tools}
          </Text>
        )}
        <Menu position="bottom-start" shadow="md">
          <Menu.Target>
            <Button variant="default" size="xs" w="fit-content">
              {text.add}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {toolTypes.map((type) => (
              <Menu.Item key={type} onClick={() => onEdit({ tool: newTools[type], index: tools.length })}>
                {text.type[type]}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        {servers.length > 0 && (
          <Text size="sm" c="dimmed">
            {text.servers(servers.map(({ name }) => name))}
          </Text>
        )}
      </Stack>
    </div>
  );
}
