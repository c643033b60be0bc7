import { pages } from '../strings/pages.ts';
import { shell } from '../strings/shell.ts';
import { Empty } from '../ui/empty.tsx';
import { Page } from '../ui/page.tsx';

export function KnowledgePage() {
  return (
    <Page title={shell.knowledge}>
      <Empty title={pages.soon}>{pages.knowledge}</Empty>
    </Page>
  );
}
