import { pageNotFound as text } from '../../strings/failures.ts';
import { Empty } from '../feedback/empty.tsx';
import { LinkButton } from './link.tsx';
import { Page } from './page.tsx';

/** Page for an unknown URL. */
export function NotFound() {
  return (
    <Page title={text.title}>
      <Empty
        title={text.advice}
        action={
          <LinkButton to="/" variant="default">
            {text.back}
          </LinkButton>
        }
      />
    </Page>
  );
}
