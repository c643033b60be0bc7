import { pages } from '../strings/pages.ts';
import { shell } from '../strings/shell.ts';
import { Empty } from '../ui/empty.tsx';
import { Page } from '../ui/page.tsx';

export function CallsPage() {
  return (
    <Page title={shell.calls}>
      <Empty title={pages.soon}>{pages.calls}</Empty>
    </Page>
  );
}
