import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type Role, wantOf } from '../../../../shared/domain/wanted-credential.ts';
import { lackOf } from '../../credentials/needed.ts';
import { credentialsQuery } from '../../credentials/queries.ts';
import { assistants as text } from '../../strings/assistants.ts';
import { LinkAnchor } from '../../ui/link.tsx';
import type { Draft } from '../draft.ts';
import { typingPause } from './typing-pause.ts';

/** Says where a worker would be given no key for this part of the draft. Nothing as long as that is not known. */
export function MissingKey({ draft, part }: { draft: Draft; part: Role }) {
  const { data: credentials } = useQuery(credentialsQuery);
  const [typed] = useDebouncedValue(draft, typingPause);
  const want = wantOf(typed, part);
  const lack = credentials && typeof want === 'object' && lackOf(want, credentials);
  if (!lack) return null;
  return (
    <Text size="sm" role="status">
      {text.key[lack](want.service, want.name)}{' '}
      <LinkAnchor to="/credentials" size="sm" underline="always">
        {text.toKeys}
      </LinkAnchor>
    </Text>
  );
}
