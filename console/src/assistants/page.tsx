import { pages } from '../strings/pages.ts';
import { shell } from '../strings/shell.ts';
import { Empty } from '../ui/empty.tsx';
import { Page } from '../ui/page.tsx';

export function AssistantsPage() {
  return (
    <Page title={shell.assistants}>
      <Empty title={pages.soon}>{pages.assistants}</Empty>
    </Page>
  );
}
