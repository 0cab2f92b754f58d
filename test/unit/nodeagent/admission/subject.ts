import type { Container, Pod } from '../../../../src/apis/types/core-v1.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { type Admission, type AdmitPodOptions, admitPod } from '../../../../src/nodeagent/admission/index.ts';
import { load } from '../options/start.ts';

const { features } = load([]).config;

/** A container that asks for these amounts. */
export const asking = (requests: Record<string, string>, more: Partial<Container> = {}): Container => ({
  name: 'c',
  image: 'a:1',
  resources: { requests },
  ...more,
});

/** A pod of that name; the name is its uid too. */
export const podNamed = (name: string, spec: Partial<Pod['spec']> = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', uid: name, creationTimestamp: null },
  spec: { containers: [asking({})], ...spec },
  status: {},
});

const node: AdmitPodOptions['node'] = {
  name: 'node1',
  labels: { disk: 'ssd', zone: 'z1', cores: '8' },
  allocatable: { cpu: '2', memory: '4Gi', pods: '10', 'ephemeral-storage': '10Gi' },
  pressure: { memory: false, disk: false, pid: false },
};

interface Setting {
  readonly others?: readonly Pod[];
  readonly node?: Partial<AdmitPodOptions['node']>;
  /** Names of static pods. */
  readonly statics?: readonly string[];
  readonly allowedUnsafeSysctls?: readonly string[];
  readonly gates?: Partial<typeof features>;
  readonly resourceRefusal?: AdmitPodOptions['resourceRefusal'];
}

/** Asks for one pod on a node with 2 cpus and 4 GiB. */
export function admit(pod: Pod, setting: Setting = {}): Admission {
  const { others = [], statics = [], allowedUnsafeSysctls = [], gates = {}, resourceRefusal } = setting;
  return admitPod({
    pod,
    others,
    node: { ...node, ...setting.node },
    isStatic: ({ metadata }) => statics.includes(metadata.name ?? ''),
    resourceRefusal,
    config: { features: { ...features, ...gates }, allowedUnsafeSysctls },
    dialect: orchDialect,
  });
}

/** Reason of a refusal; `admitted` when there is none. */
export function verdictOn(pod: Pod, setting: Setting = {}): string {
  const admission = admit(pod, setting);
  return admission.kind === 'refused' ? admission.reason : admission.kind;
}
