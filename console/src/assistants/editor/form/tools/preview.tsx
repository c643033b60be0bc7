import { Alert, Stack, Text } from '@mantine/core';
import { Liquid } from 'liquidjs';
import { buildScope, listUndeclared, noValues } from '../../../../../../shared/domain/tools/scope.ts';
import { assistants } from '../../../../strings/assistants.ts';
import { tools as text } from '../../../../strings/tools.ts';
import { CodeView } from '../../../../ui/text/code-view.tsx';
import type { Draft } from '../../../draft/draft.ts';

/** The API's template engine, with the same rules (shared/domain/tools/template.ts). */
const engine = new Liquid({
  ownPropertyOnly: true,
  strictFilters: true,
  parseLimit: 250_000,
  renderLimit: 500,
  memoryLimit: 5_000_000,
  templates: {},
});

/** Renders the texts of a draft with the defaults of its variables. */
function renderDraft(draft: Draft) {
  try {
    const scope = buildScope(draft, noValues);
    const render = (template: string): string => engine.parseAndRenderSync(template, scope);
    const texts = [draft.system_instruction, draft.first_message ?? ''] as const;
    const names = texts.flatMap((one) =>
      engine.globalVariableSegmentsSync(engine.parse(one)).map((path) => path.join('.')),
    );
    return {
      instruction: render(texts[0]),
      greeting: render(texts[1]),
      undeclared: listUndeclared([...new Set(names)], draft),
    };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}

/** Texts of a draft as a call without values gets them. */
export function Preview({ draft }: { draft: Draft }) {
  const { fault, instruction = '', greeting = '', undeclared = [] } = renderDraft(draft);
  if (fault !== undefined) return <Alert color="red">{text.previewFailed(fault)}</Alert>;
  return (
    <Stack gap="xs">
      {undeclared.length > 0 && <Text size="sm">{text.previewUndeclared(undeclared)}</Text>}
      {greeting && <CodeView name={assistants.field.first_message} code={greeting} />}
      <CodeView name={assistants.field.system_instruction} code={instruction} />
    </Stack>
  );
}
