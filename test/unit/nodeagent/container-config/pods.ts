import type { Container, Pod, Service } from '../../../../src/apis/types/core-v1.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import type { NodeSettings } from '../../../../src/nodeagent/container-config/index.ts';

/** A container `c` with the given fields. */
export const containerOf = (fields: Partial<Container> = {}): Container => ({
  name: 'c',
  image: 'a:1',
  resources: {},
  ...fields,
});

/** The pod `web` of `shop` with one container. */
export const podOf = (spec: Partial<Pod['spec']> = {}, metadata: Partial<Pod['metadata']> = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'shop', uid: 'u-1', creationTimestamp: null, ...metadata },
  spec: { containers: [containerOf()], enableServiceLinks: true, ...spec },
  status: {},
});

/** A service with a cluster IP. */
export const serviceOf = (
  name: string,
  namespace: string,
  clusterIP: string,
  ports: Service['spec']['ports'],
): Service => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace, creationTimestamp: null },
  spec: { clusterIP, ports },
  status: { loadBalancer: {} },
});

/** A node as the recordings have it. */
export const nodeOf = (settings: Partial<NodeSettings> = {}): NodeSettings => ({
  dialect: orchDialect,
  rootDirectory: '/var/lib/agent',
  seccompProfileRoot: '/var/lib/agent/seccomp',
  clusterDomain: 'cluster.local',
  dns: {
    clusterDns: ['10.0.0.10'],
    resolvConf: { servers: ['192.0.2.53'], searches: ['example.test'], options: ['ndots:2'] },
    nodeIps: ['192.0.2.2'],
  },
  cgroups: { driver: 'cgroupfs', root: '', isPerQos: true },
  cpuBounding: { isEnforced: true, periodUs: 100_000 },
  memoryCapacityBytes: 1024 ** 3,
  hugepageSizes: ['2MB'],
  isSelinuxEnabled: false,
  masterServiceNamespace: 'default',
  ...settings,
});
