import { pages } from '../strings/pages.ts';
import { shell } from '../strings/shell.ts';
import { Empty } from '../ui/empty.tsx';
import { Page } from '../ui/page.tsx';

export function CredentialsPage() {
  return (
    <Page title={shell.credentials}>
      <Empty title={pages.soon}>{pages.credentials}</Empty>
    </Page>
  );
}
