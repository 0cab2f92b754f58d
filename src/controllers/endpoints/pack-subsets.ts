import type { EndpointAddress, EndpointPort, EndpointSubset } from '../../apis/types/core-v1.ts';
import { valueHash } from '../template-hash/index.ts';

/** A pod that offers a port of a service; without a port where the service needs none. */
export interface Offer {
  readonly address: EndpointAddress;
  readonly isReady: boolean;
  readonly port: EndpointPort | undefined;
}

interface Offered {
  readonly port: EndpointPort | undefined;
  /** By address and pod. */
  readonly offers: Map<string, Offer>;
}

/**
 * Ports that the same pods offer are together, whatever else these offer. Pure. In order of addresses, and of hashes of ports and
 * subsets. Source: release 1.20, `RepackSubsets`.
 */
export function packSubsets(offers: readonly Offer[]): EndpointSubset[] {
  const byPort = new Map<string, Offered>();
  for (const offer of offers) {
    const key = JSON.stringify(offer.port ?? null);
    const offered = byPort.get(key) ?? { port: offer.port, offers: new Map<string, Offer>() };
    byPort.set(key, offered);
    const at = keyOf(offer.address);
    if (offered.offers.get(at)?.isReady !== false) offered.offers.set(at, offer);
  }
  const alike = Map.groupBy(byPort.values(), (offered) => JSON.stringify(sortedOffers(offered).map(shownOf)));
  return [...alike.values()]
    .flatMap(subsetOf)
    .map((subset) => ({ subset, hash: valueHash(subset, 'v1.EndpointSubset') }))
    .sort((a, b) => (a.hash < b.hash ? -1 : 1))
    .map(({ subset }) => subset);
}

function subsetOf(offered: readonly Offered[]): EndpointSubset[] {
  const [first] = offered;
  if (first === undefined) return [];
  const offers = sortedOffers(first);
  const ready = offers.filter(({ isReady }) => isReady).map(({ address }) => address);
  const notReady = offers.filter(({ isReady }) => !isReady).map(({ address }) => address);
  const ports = sortByHash(
    offered.flatMap(({ port }) => port ?? []),
    'v1.EndpointPort',
  );
  return [
    {
      ...(ready.length > 0 && { addresses: ready }),
      ...(notReady.length > 0 && { notReadyAddresses: notReady }),
      ...(ports.length > 0 && { ports }),
    },
  ];
}

/** In the order of the hashes that values of a type of Go have. */
export const sortByHash = <T>(values: readonly T[], type: string): T[] =>
  values
    .map((value) => ({ value, hash: valueHash(value, type) }))
    .sort((a, b) => (a.hash < b.hash ? -1 : 1))
    .map(({ value }) => value);

const keyOf = ({ ip, targetRef }: EndpointAddress): string => `${ip} ${targetRef?.uid}`;

const shownOf = ({ address, isReady }: Offer): unknown => [address, isReady];

function sortedOffers({ offers }: Offered): Offer[] {
  return [...offers].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, offer]) => offer);
}
