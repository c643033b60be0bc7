import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { versions as text } from '../../strings/versions.ts';
import { lazyComponent } from '../../ui/loading/lazy.tsx';
import { Loading } from '../../ui/loading/loading.tsx';
import { QueryView } from '../../ui/loading/query-view.tsx';
import { differencesQuery, type VersionReference } from './queries.ts';

// Lazy, because of the library that compares texts.
const ChangesView = lazyComponent(() => import('./changes-view.tsx'), 'ChangesView', <Loading rows={2} />);

interface Props {
  assistantId: string;
  version: VersionReference;
  /** The version before, if undefined. */
  against?: VersionReference | undefined;
  /** Entity tag of the draft, if it is compared. */
  etag?: string;
  /** Shown if nothing differs. */
  same?: string;
  /** True to name both versions. */
  isNamed?: boolean;
}

/** Shows what differs between two versions. */
export function Differences({ assistantId, same = text.noChanges, isNamed, ...comparison }: Props) {
  const query = useQuery(differencesQuery(assistantId, comparison));
  return (
    <QueryView query={query} loading={<Loading rows={2} />}>
      {({ version, against, changes }) =>
        comparison.against === undefined && against === null ? (
          <Text size="sm">{text.firstVersion}</Text>
        ) : (
          <>
            {isNamed && (
              <Text size="sm" fw={500}>
                {text.fromTo(against, version)}
              </Text>
            )}
            {changes.length > 0 ? <ChangesView changes={changes} /> : <Text size="sm">{same}</Text>}
          </>
        )
      }
    </QueryView>
  );
}
