import type { Delivery } from '../api/types.ts';

export type DeliveryStatus = Delivery['status'];

/** States of a delivery. */
export const statuses: readonly DeliveryStatus[] = ['pending', 'delivered', 'failed'];

/** Filter of the deliveries, as stored in the URL. */
export interface Filter {
  status?: DeliveryStatus | undefined;
}

/** Parses a filter from the URL. Skips invalid values. */
export const parseFilter = ({ status }: Record<string, unknown>): Filter => ({
  status: statuses.find((one) => one === status),
});
