import type { Endpoints, Service, ServicePort } from '../../types/core-v1.ts';
import type { EndpointPort, EndpointSlice } from '../../types/discovery-v1beta1.ts';
import { ageSince } from '../age.ts';
import { formatFirst, formatLabels, formatLoadBalancer, orNone } from '../cell-text.ts';
import type { RowPrinter } from '../row-printer.ts';

const maxShown = 3;

/** Rows of services. */
export const servicePrinter: RowPrinter<Service> = {
  cells: (service, { nowMs }) => [
    service.metadata.name ?? '',
    service.spec.type ?? '',
    orNone(service.spec.clusterIPs?.[0]),
    externalAddress(service),
    orNone((service.spec.ports ?? []).map(formatPort).join(',')),
    ageSince(service.metadata.creationTimestamp, nowMs),
    formatLabels(service.spec.selector),
  ],
};

function externalAddress({ spec, status }: Service): string {
  const externalIps = (spec.externalIPs ?? []).join(',');
  switch (spec.type) {
    case 'ClusterIP':
    case 'NodePort':
      return orNone(externalIps);
    case 'LoadBalancer': {
      const texts = [formatLoadBalancer(status.loadBalancer), externalIps].filter((text) => text !== '');
      return texts.length === 0 ? '<pending>' : texts.join(',');
    }
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return '<unknown>';
  }
}

function formatPort({ port, nodePort = 0, protocol = '' }: ServicePort): string {
  return nodePort > 0 ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`;
}

/** Rows of endpoints. */
export const endpointsPrinter: RowPrinter<Endpoints> = {
  cells: (endpoints, { nowMs }) => [
    endpoints.metadata.name ?? '',
    formatEndpoints(endpoints),
    ageSince(endpoints.metadata.creationTimestamp, nowMs),
  ],
};

function formatEndpoints({ subsets }: Endpoints): string {
  if (subsets === undefined || subsets === null || subsets.length === 0) return orNone('');
  const shown: string[] = [];
  let total = 0;
  for (const { addresses, ports } of subsets) {
    const ips = addresses ?? [];
    // Services without ports list plain addresses.
    const suffixes = ports === undefined || ports.length === 0 ? [undefined] : ports.map(({ port }) => port);
    total += ips.length * suffixes.length;
    for (const port of suffixes) {
      for (const { ip } of ips.slice(0, maxShown - shown.length)) {
        shown.push(port === undefined ? ip : joinHostPort(ip, port));
      }
    }
  }
  return formatFirst(shown, total, maxShown);
}

function joinHostPort(ip: string, port: number): string {
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
}

/** Rows of endpoint slices. */
export const endpointSlicePrinter: RowPrinter<EndpointSlice> = {
  cells(slice, { nowMs }) {
    const ports = slice.ports ?? [];
    const addresses = (slice.endpoints ?? []).flatMap((endpoint) => endpoint.addresses ?? []);
    return [
      slice.metadata.name ?? '',
      slice.addressType,
      formatFirst(ports.slice(0, maxShown).map(formatSlicePort), ports.length, maxShown) || '<unset>',
      formatFirst(addresses, addresses.length, maxShown) || '<unset>',
      ageSince(slice.metadata.creationTimestamp, nowMs),
    ];
  },
};

function formatSlicePort({ port, name }: EndpointPort): string {
  return port === undefined ? (name ?? '*') : String(port);
}
