import { pages } from '../strings/pages.ts';
import { shell } from '../strings/shell.ts';
import { Empty } from '../ui/empty.tsx';
import { Page } from '../ui/page.tsx';

export function KeysPage() {
  return (
    <Page title={shell.keys}>
      <Empty title={pages.soon}>{pages.keys}</Empty>
    </Page>
  );
}
