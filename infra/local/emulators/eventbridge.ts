import type { Buses } from '../buses/buses.ts';
import type { Emulator } from './emulator.ts';
import { ServiceError, serveJson } from './json-service.ts';

interface Entry {
  EventBusName?: string;
  Source: string;
  DetailType: string;
  Detail: string;
  Resources?: string[];
  /** Seconds since 1970. */
  Time?: number;
}

const maxEntries = 10;
/** Maximum size of all entries together, in bytes. */
const maxBytes = 1_048_576;

/** Names of buses may be ARNs. */
const toName = (bus = 'default') => bus.slice(bus.lastIndexOf('/') + 1);

/** Starts an EventBridge that accepts events, the only operation that functions use. Rejects each invalid entry separately. */
export const startEventBridge = (buses: Buses): Promise<Emulator> =>
  serveJson('AWSEvents.', {
    PutEvents({ Entries }: { Entries: Entry[] }) {
      if (Entries.length === 0 || Entries.length > maxEntries) throw new ServiceError('ValidationException');
      if (Buffer.byteLength(Entries.map(({ Detail }) => Detail).join('')) > maxBytes)
        throw new ServiceError('ValidationException');
      const results = Entries.map(({ EventBusName, Source, DetailType, Detail, Resources, Time }) => {
        const bus = toName(EventBusName);
        if (!buses.has(bus)) throw new ServiceError('ResourceNotFoundException');
        try {
          return {
            EventId: buses.send(bus, {
              source: Source,
              detailType: DetailType,
              detail: JSON.parse(Detail) as object,
              ...(Resources && { resources: Resources }),
              ...(Time && { time: new Date(Time * 1000) }),
            }),
          };
        } catch (error) {
          if (error instanceof SyntaxError)
            return { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
          throw error;
        }
      });
      return { FailedEntryCount: results.filter((result) => 'ErrorCode' in result).length, Entries: results };
    },
  });
