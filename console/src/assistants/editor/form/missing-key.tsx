import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type Role, toCredentialLookup } from '../../../../../shared/domain/credential-lookup.ts';
import { findCredentialProblem } from '../../../credentials/needed-services.ts';
import { credentialsQuery } from '../../../credentials/queries.ts';
import { assistants as text } from '../../../strings/assistants.ts';
import { LinkAnchor } from '../../../ui/page/link.tsx';
import type { Draft } from '../../draft/draft.ts';
import { typingPauseMs } from './typing-pause.ts';

/** Warns if a worker would get no key for this part of the draft. Shows nothing until the credentials have loaded. */
export function MissingKey({ draft, part }: { draft: Draft; part: Role }) {
  const { data: credentials } = useQuery(credentialsQuery);
  const [typed] = useDebouncedValue(draft, typingPauseMs);
  const want = toCredentialLookup(typed, part);
  const problem = credentials && typeof want === 'object' && findCredentialProblem(want, credentials);
  if (!problem) return null;
  return (
    <Text size="sm" role="status">
      {text.key[problem](want.service, want.name)}{' '}
      <LinkAnchor to="/credentials" size="sm" underline="always">
        {text.toKeys}
      </LinkAnchor>
    </Text>
  );
}
