/** A Node as far as it is looked at here. */
export interface ShownNode {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly status: NodeStatus;
}

interface NodeStatus {
  readonly capacity: Quantities;
  readonly allocatable: Quantities;
  readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  readonly images?: readonly { readonly names: readonly string[]; readonly sizeBytes: number }[];
  readonly daemonEndpoints: { readonly nodeAgentEndpoint: { readonly Port: number } };
  readonly nodeInfo: Readonly<Record<string, string>>;
}

type Quantities = Readonly<Record<string, string>>;

/** What the recording machine had, and what of it was not for pods: bytes, or processors. */
export interface RecordedReservation {
  readonly capacityMinusAllocatable: Readonly<Record<string, number>>;
  readonly capacity: Quantities;
}

/** Quantities that differ from machine to machine. */
const machineQuantities = ['cpu', 'memory', 'ephemeral-storage'] as const;
const machineFacts = [
  'machineID',
  'systemUUID',
  'bootID',
  'kernelVersion',
  'osImage',
  'containerRuntimeVersion',
] as const;

/** Which signal takes part of which quantity. */
const reservedBySignal = { 'memory.available': 'memory', 'nodefs.available': 'ephemeral-storage' } as const;
const defaultThresholds = 'memory.available<100Mi,nodefs.available<10%';

/** The recorded node as a machine with this capacity has it: what is reserved by percentages is worked out anew. */
export function expectedNode(
  recorded: ShownNode,
  reservation: RecordedReservation | undefined,
  { capacity, flags }: { readonly capacity: Quantities; readonly flags: readonly string[] },
): unknown {
  if (reservation === undefined) return recorded;
  const percentages = reservedPercentages(flags);
  const reserved: Record<string, number> = {};
  for (const [name, amount] of Object.entries(reservation.capacityMinusAllocatable)) {
    const part = (whole: string | undefined): number =>
      Math.trunc(amountOf(whole ?? '0') * Math.fround((percentages.get(name) ?? 0) / 100));
    reserved[name] = amount - part(reservation.capacity[name]) + part(capacity[name]);
  }
  return { ...recorded, status: { ...recorded.status, reserved } };
}

/** A node as recordings have it: facts of the machine stand for themselves, `reserved` is what is not for pods. */
export function comparableNode(node: ShownNode, recorded: ShownNode, port: number): unknown {
  const { managedFields: _, ...metadata } = node.metadata;
  const { status } = node;
  const { nodeAgentEndpoint } = status.daemonEndpoints;
  const named = machineFacts.filter((name) => status.nodeInfo[name] !== '');
  const images = status.images?.map((image) => ({
    ...image,
    sizeBytes: image.sizeBytes > 0 ? '<bytes>' : image.sizeBytes,
  }));
  // Some recordings were made before the first list of images was there.
  const hasImages = images !== undefined && recorded.status.images !== undefined;
  return {
    ...node,
    metadata,
    status: {
      ...status,
      capacity: withPlaceholders(status.capacity, ''),
      allocatable: withPlaceholders(status.allocatable, ' - reserved'),
      reserved: differencesOf(status),
      daemonEndpoints: {
        nodeAgentEndpoint: nodeAgentEndpoint.Port === port ? { Port: '{port}' } : nodeAgentEndpoint,
      },
      nodeInfo: { ...status.nodeInfo, ...Object.fromEntries(named.map((name) => [name, `<${name}>`])) },
      images: hasImages ? images : undefined,
    },
  };
}

function reservedPercentages(flags: readonly string[]): ReadonlyMap<string, number> {
  const flagValue = (name: string): string | undefined =>
    flags.findLast((flag) => flag.startsWith(`--${name}=`))?.slice(name.length + 3);
  if (flagValue('experimental-allocatable-ignore-eviction') === 'true') return new Map();
  const thresholds = (flagValue('eviction-hard') ?? defaultThresholds).split(',');
  return new Map(
    thresholds.flatMap((threshold) => {
      const [, signal = '', percent] = /^([\w.]+)<([\d.]+)%$/.exec(threshold) ?? [];
      const quantity = new Map(Object.entries(reservedBySignal)).get(signal);
      return quantity === undefined ? [] : [[quantity, Number(percent)] as const];
    }),
  );
}

function withPlaceholders(quantities: Quantities, suffix: string): Quantities {
  const present = machineQuantities.filter((name) => quantities[name] !== undefined);
  return { ...quantities, ...Object.fromEntries(present.map((name) => [name, `<${name}${suffix}>`])) };
}

function differencesOf({ capacity, allocatable }: NodeStatus): Readonly<Record<string, number>> {
  const present = machineQuantities.filter((name) => capacity[name] !== undefined);
  return Object.fromEntries(
    present.map((name) => [name, amountOf(capacity[name] ?? '') - amountOf(allocatable[name] ?? '')]),
  );
}

/** Quantities of nodes have no other suffixes. */
function amountOf(quantity: string): number {
  const [, number, suffix] = /^(\d+)(m|Ki|Mi|Gi)?$/.exec(quantity) ?? [];
  const factors = new Map([
    ['m', 0.001],
    ['Ki', 1024],
    ['Mi', 1024 ** 2],
    ['Gi', 1024 ** 3],
  ]);
  return Number(number) * (factors.get(suffix ?? '') ?? 1);
}
