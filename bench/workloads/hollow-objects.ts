import { resourcePath } from '../../src/client/rest/index.ts';
import { orchDialect } from '../../src/machinery/dialect.ts';

/** A node that only the API knows. */
export interface HollowNode {
  readonly index: number;
  readonly name: string;
}

/** Cores, memory and pods of a node. */
const capacity = { cpu: '4', memory: '8Gi', pods: '110' };
const leaseSeconds = 40;
/** An address below 10.100.0.0/14. */
const addressOf = (index: number): string =>
  `10.${100 + ((index >> 16) & 3)}.${(index >> 8) & 255}.${index & 255}`;

/** The node as its agent registers it, ready. */
export function nodeOf({ index, name }: HollowNode, nowText: string): object {
  const condition = (type: string, status: string, reason: string) => ({
    type,
    status,
    reason,
    message: 'hollow',
    lastHeartbeatTime: nowText,
    lastTransitionTime: nowText,
  });
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { [orchDialect.label('hostname')]: name, [orchDialect.label('os')]: 'linux' } },
    status: {
      capacity,
      allocatable: capacity,
      addresses: [{ type: 'InternalIP', address: `172.16.${index >> 8}.${index & 255}` }],
      conditions: [
        condition('MemoryPressure', 'False', 'AgentHasSufficientMemory'),
        condition('DiskPressure', 'False', 'AgentHasNoDiskPressure'),
        condition('PIDPressure', 'False', 'AgentHasSufficientPID'),
        condition('Ready', 'True', 'AgentReady'),
      ],
    },
  };
}

/** The lease that says that the node is alive, and the path of its collection. */
export function leaseOf({ name }: HollowNode, nowText: string) {
  const group = orchDialect.group('coordination');
  const namespace = orchDialect.nodeLeaseNamespace;
  return {
    path: resourcePath({ group, version: 'v1', resource: 'leases', namespace }),
    lease: {
      apiVersion: `${group}/v1`,
      kind: 'Lease',
      metadata: { name, namespace },
      // Times of leases have microseconds.
      spec: {
        holderIdentity: name,
        leaseDurationSeconds: leaseSeconds,
        renewTime: nowText.replace('Z', '000Z'),
      },
    },
  };
}

/** What an agent says of a pod whose only container runs and is ready. */
export function runningStatus(index: number, nowText: string): object {
  const isTrue = (type: string) => ({ type, status: 'True', lastTransitionTime: nowText });
  const podIP = addressOf(index);
  return {
    phase: 'Running',
    startTime: nowText,
    podIP,
    podIPs: [{ ip: podIP }],
    conditions: ['Initialized', 'Ready', 'ContainersReady'].map(isTrue),
    containerStatuses: [
      {
        name: 'main',
        image: 'hollow',
        imageID: 'hollow',
        ready: true,
        started: true,
        restartCount: 0,
        state: { running: { startedAt: nowText } },
      },
    ],
  };
}
