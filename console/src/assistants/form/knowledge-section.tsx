import { Badge, Group, Text, Title } from '@mantine/core';
import type { AttachedKnowledgeBase } from '../../api/types.ts';
import { assistants as text } from '../../strings/assistants.ts';
import { LinkAnchor } from '../../ui/link.tsx';
import type { DraftForm } from '../use-draft.ts';
import classes from './form.module.css';
import { PartSettings } from './part-settings.tsx';
import { Section } from './section.tsx';

const colors: Record<AttachedKnowledgeBase['status'], string> = { ready: 'green', processing: 'gray', failed: 'red' };

interface Props {
  form: DraftForm;
  attached: AttachedKnowledgeBase[] | undefined;
}

/** What the assistant may look up: attached knowledge bases, and a vector store of one's own. */
export function KnowledgeSection({ form, attached }: Props) {
  return (
    <Section title={text.knowledge} hint={text.hint.knowledge}>
      {attached && attached.length > 0 ? (
        <ul className={classes.attached}>
          {attached.map(({ id, name, file_name, status }) => (
            <li key={id}>
              <div>
                <Text size="sm" fw={500}>
                  {name}
                </Text>
                <Text size="xs" c="dimmed">
                  {file_name}
                </Text>
              </div>
              <Badge color={colors[status]}>{status}</Badge>
            </li>
          ))}
        </ul>
      ) : (
        <Text size="sm" c="dimmed">
          {attached ? text.attachedNone : text.attachedLater}
        </Text>
      )}
      {attached && (
        <Group>
          <LinkAnchor to="/knowledge" size="sm">
            {text.manageKnowledge}
          </LinkAnchor>
        </Group>
      )}
      <Title order={3} size="sm" mt="xs">
        {text.ownStore}
      </Title>
      <PartSettings form={form} part="knowledge_base" />
    </Section>
  );
}
