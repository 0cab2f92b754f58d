import type { Dialect } from '../../machinery/dialect.ts';

type Labels = Readonly<Record<string, string>>;

/** What the labels of a new Node are made from. */
export interface InitialLabelsOptions {
  readonly hostname: string;
  readonly architecture: string;
  /** Labels of the configuration; they win. */
  readonly given: Labels;
  readonly dialect: Dialect;
}

/** Labels that a node is registered with. */
export function initialLabels({ hostname, architecture, given, dialect }: InitialLabelsOptions): Labels {
  const name = (prefix: string, label: string) =>
    prefix === '' ? dialect.label(label) : dialect.domain(prefix, label);
  return {
    [name('beta', 'arch')]: architecture,
    [name('beta', 'os')]: 'linux',
    [name('', 'arch')]: architecture,
    [name('', 'hostname')]: hostname,
    [name('', 'os')]: 'linux',
    ...given,
  };
}

/** Labels that the agent updates on an existing node; it leaves all others alone. */
const systemLabels = [
  'beta.orch.io/arch',
  'beta.orch.io/instance-type',
  'beta.orch.io/os',
  'failure-domain.beta.orch.io/region',
  'failure-domain.beta.orch.io/zone',
  'node.orch.io/instance-type',
  'orch.io/arch',
  'orch.io/hostname',
  'orch.io/os',
  'topology.orch.io/region',
  'topology.orch.io/zone',
] as const;

/** System labels of an existing node that differ from those that it would be registered with. */
export function differingLabels(desired: Labels, shown: Labels, dialect: Dialect): Labels {
  const names = systemLabels.map((name) => dialect.spell(name));
  return Object.fromEntries(
    Object.entries(desired).filter(([name, value]) => names.includes(name) && shown[name] !== value),
  );
}
