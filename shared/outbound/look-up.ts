import { BADNAME, type LookupAddress, NODATA, NOTFOUND } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { BlockList, type LookupFunction } from 'node:net';
import { ForbiddenAddress, NoAnswer } from './errors.ts';

/** Addresses that hold an IPv4 address, such as `::7f00:1` for 127.0.0.1, which request-filtering-agent takes for public ones. */
const compatible = new BlockList();
compatible.addSubnet('::', 96, 'ipv6');

/**
 * Options of DNS resolvers (c-ares), which give up after nine seconds, or later if there are several name servers. `dns.lookup` would take
 * one of two threads for as long as a name server does not answer, and so hold up all other requests of the function.
 */
const resolverOptions = { timeout: 2_000, tries: 4, maxTimeout: 2_000 };

/** Maximum number of addresses of a name to try. A name can have thousands. */
const maxAddresses = 8;

/**
 * Returns the addresses of a name, those of IPv6 only if it has no others. Throws ForbiddenAddress, or NoAnswer with the code that
 * `dns.lookup` would give.
 */
async function resolveName(name: string): Promise<LookupAddress[]> {
  const resolver = new Resolver(resolverOptions); // of its own, because a malformed answer ends all queries of a resolver
  const ignoreNoData = ({ code }: NodeJS.ErrnoException): string[] => {
    if (code === NODATA) return [];
    throw new NoAnswer(code === NOTFOUND || code === BADNAME ? NOTFOUND : 'EAI_AGAIN');
  };
  // An alias of a name without addresses has an empty answer.
  const four = await resolver.resolve4(name).catch(ignoreNoData);
  const found = four.length > 0 ? four : await resolver.resolve6(name).catch(ignoreNoData);
  const addresses = found.slice(0, maxAddresses).map((address) => ({ address, family: four.length > 0 ? 4 : 6 }));
  if (addresses.length === 0) throw new NoAnswer(NOTFOUND);
  if (addresses.some(({ address, family }) => family === 6 && compatible.check(address, 'ipv6')))
    throw new ForbiddenAddress();
  return addresses;
}

/** Looks up a name as `dns.lookup` does. */
export const lookUp: LookupFunction = (name, { all }, callback) => {
  resolveName(name).then(
    (found) => (all ? callback(null, found) : callback(null, found[0]?.address ?? '', found[0]?.family)),
    (error) => callback(error, []),
  );
};
