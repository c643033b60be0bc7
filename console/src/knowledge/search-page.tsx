import { Stack } from '@mantine/core';
import { knowledge as text } from '../strings/knowledge.ts';
import { BackLink } from '../ui/page/back-link.tsx';
import { Page } from '../ui/page/page.tsx';
import { Search } from './search.tsx';

/** Page that searches all documents. */
export function SearchPage() {
  return (
    <Page
      title={text.searchAll}
      description={
        <Stack gap={4}>
          <BackLink to="/knowledge">{text.title}</BackLink>
          {text.searchAllHint}
        </Stack>
      }
    >
      <Stack gap="md">
        <Search />
      </Stack>
    </Page>
  );
}
