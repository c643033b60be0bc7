import { pages } from '../strings/pages.ts';
import { shell } from '../strings/shell.ts';
import { Empty } from '../ui/empty.tsx';
import { Page } from '../ui/page.tsx';

export function OverviewPage() {
  return (
    <Page title={shell.overview}>
      <Empty title={pages.soon}>{pages.overview}</Empty>
    </Page>
  );
}
