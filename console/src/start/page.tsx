import { pages } from '../strings/pages.ts';
import { shell } from '../strings/shell.ts';
import { Empty } from '../ui/empty.tsx';
import { Page } from '../ui/page.tsx';

export function StartPage() {
  return (
    <Page title={shell.start}>
      <Empty title={pages.soon}>{pages.start}</Empty>
    </Page>
  );
}
