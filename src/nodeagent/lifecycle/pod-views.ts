import type { Dialect } from '../../machinery/dialect.ts';
import { runtimeLabelNames } from '../container-config/index.ts';
import type {
  Container,
  ContainerStatus,
  PodSandbox,
  PodSandboxStatus,
  RuntimeService,
} from '../runtime/index.ts';
import type { RuntimeView } from '../sync/observe-pod.ts';

type ViewedRuntime = Pick<
  RuntimeService,
  'listPodSandboxes' | 'listContainers' | 'podSandboxStatus' | 'containerStatus'
>;

/** The runtime that is read, and how termination messages are read. */
export interface PodViewsOptions {
  readonly runtime: ViewedRuntime;
  readonly dialect: Dialect;
  /** What an ended container says of its end; empty when it says nothing. */
  readonly readMessage: (status: ContainerStatus) => Promise<string>;
}

/** What the runtime has of all pods, in short. */
export interface RuntimeListing {
  readonly sandboxes: readonly PodSandbox[];
  readonly containers: readonly Container[];
}

/**
 * Reads what the runtime has of pods. Statuses are asked for once per state of a sandbox or container: nothing in them
 * changes while the state stays. What is gone is forgotten with the next listing.
 */
export class PodViews {
  readonly #runtime: ViewedRuntime;
  readonly #podUid: string;
  readonly #readMessage: PodViewsOptions['readMessage'];
  readonly #sandboxes = new Map<string, PodSandboxStatus>();
  readonly #containers = new Map<string, ContainerStatus>();

  constructor({ runtime, dialect, readMessage }: PodViewsOptions) {
    this.#runtime = runtime;
    this.#podUid = runtimeLabelNames(dialect).podUid;
    this.#readMessage = readMessage;
  }

  /** All sandboxes and containers that an agent made. @throws RuntimeError */
  async list(): Promise<RuntimeListing> {
    const [sandboxes, containers] = await Promise.all([
      this.#runtime.listPodSandboxes(),
      this.#runtime.listContainers(),
    ]);
    const isOurs = ({ labels }: PodSandbox | Container): boolean => this.#podUid in labels;
    const listing = { sandboxes: sandboxes.filter(isOurs), containers: containers.filter(isOurs) };
    forgetAbsent(this.#sandboxes, listing.sandboxes);
    forgetAbsent(this.#containers, listing.containers);
    return listing;
  }

  /** Uid of the pod that a sandbox or container belongs to. */
  podUidOf({ labels }: PodSandbox | Container): string {
    return labels[this.#podUid] ?? '';
  }

  /** All that the runtime has of one pod. @throws RuntimeError when it cannot tell. */
  async read(podUid: string): Promise<RuntimeView> {
    const labels = { [this.#podUid]: podUid };
    const [sandboxes, containers] = await Promise.all([
      this.#runtime.listPodSandboxes({ labels }),
      this.#runtime.listContainers({ labels }),
    ]);
    const [sandboxStatuses, containerStatuses] = await Promise.all([
      Promise.all(sandboxes.map((each) => this.#sandboxStatus(each))),
      Promise.all(
        containers.map(async (each) => {
          const status = await this.#containerStatus(each);
          return status === undefined ? undefined : { podSandboxId: each.podSandboxId, status };
        }),
      ),
    ]);
    return { sandboxes: sandboxStatuses.filter(isPresent), containers: containerStatuses.filter(isPresent) };
  }

  async #sandboxStatus({ id, state }: PodSandbox): Promise<PodSandboxStatus | undefined> {
    const known = this.#sandboxes.get(id);
    if (known?.state === state) return known;
    const status = await this.#runtime.podSandboxStatus(id);
    if (status !== undefined && isComplete(status)) this.#sandboxes.set(id, status);
    return status;
  }

  async #containerStatus({ id, state }: Container): Promise<ContainerStatus | undefined> {
    const known = this.#containers.get(id);
    if (known?.state === state && state !== 'unknown') return known;
    let status = await this.#runtime.containerStatus(id);
    if (status === undefined) return undefined;
    if (status.state === 'exited' && status.message === '') {
      status = { ...status, message: await this.#readMessage(status) };
    }
    this.#containers.set(id, status);
    return status;
  }
}

/** Some runtimes show a sandbox that is ready before it has its addresses. */
const isComplete = ({ state, ips, namespaces }: PodSandboxStatus): boolean =>
  state !== 'ready' || ips.length > 0 || namespaces.network === 'node';

const isPresent = <T>(value: T | undefined): value is T => value !== undefined;

function forgetAbsent(known: Map<string, unknown>, present: readonly { readonly id: string }[]): void {
  if (known.size <= present.length) return;
  const ids = new Set(present.map(({ id }) => id));
  for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
}
