import { Badge } from '@mantine/core';
import type { Webhook } from '../api/types.ts';
import { webhooks as text } from '../strings/webhooks.ts';

const colors: Record<Webhook['health']['status'], string> = {
  healthy: 'green',
  failing: 'yellow',
  resting: 'orange',
  disabled: 'gray',
};

/** State of a webhook's receiver. */
export const HealthBadge = ({ health: { status } }: Pick<Webhook, 'health'>) => (
  <Badge variant="dot" color={colors[status]} miw="max-content">
    {text.health[status]}
  </Badge>
);
