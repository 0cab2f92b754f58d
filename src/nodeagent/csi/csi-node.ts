import { migratedAnnotation } from '../../apis/csi-migration/index.ts';
import type { Node } from '../../apis/types/core-v1.ts';
import type { CSINode, CSINodeDriver } from '../../apis/types/storage-v1.ts';
import { type Clock, errorText, type Logger, pause } from '../../base/index.ts';
import { type RestClient, resourcePath } from '../../client/rest/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { isReason } from '../../machinery/errors/index.ts';
import { jsonEqual } from '../../machinery/patch/index.ts';

/** What a driver said of the node. */
export interface DriverNodeInfo {
  /** The node's name for the driver. */
  readonly nodeId: string;
  /** Most volumes of the driver that the node takes; 0: unknown. */
  readonly maxVolumes: number;
  /** Where the node is, for the driver. */
  readonly topology: Readonly<Record<string, string>>;
}

/** Whose drivers are shown, and what else their object says. */
export interface CsiNodeOptions {
  /** Undefined: there is no API server; then no driver can be installed. */
  readonly client: RestClient | undefined;
  readonly nodeName: string;
  /** Names of built-in kinds of volumes that drivers serve in their place, as the annotation has them. */
  readonly migratedPlugins: readonly string[];
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly logger: Logger;
}

const timeoutMs = 10_000;
/** Pauses between attempts at a write that met another one. */
const retryDelaysMs = [10, 50, 250];
/** Pause of the first write until there is a server and a node. */
const initialDelayMs = 1000;
const maxInt32 = 2_147_483_647;

/**
 * What the API server shows of the drivers on this node: the CSINode object, and labels and an annotation of the Node.
 * Changes are made one after another; what somebody else writes meanwhile stays.
 */
export class CsiNode {
  readonly #options: CsiNodeOptions;
  readonly #annotation: string;
  #last: Promise<unknown> = Promise.resolve();
  readonly #initialized = Promise.withResolvers<void>();

  constructor(options: CsiNodeOptions) {
    this.#options = options;
    this.#annotation = options.dialect.domain('csi.volume', 'nodeid');
  }

  /** Resolves when `initialize` has done what it is called for. */
  get whenInitialized(): Promise<void> {
    return this.#initialized.promise;
  }

  /**
   * Makes the object, and brings its annotation up to date, once the server has the node. `onProblem` is told what is in the way
   * whenever that changes, and in the end nothing; it must not throw. Never rejects.
   */
  async initialize(
    signal: AbortSignal,
    onProblem: (problem: string | undefined) => void = () => {},
  ): Promise<void> {
    const { client, clock, logger } = this.#options;
    if (client === undefined || signal.aborted) return;
    let problem = '';
    do {
      try {
        await this.#inTurn(() => this.#updateObject((drivers) => drivers));
        onProblem(undefined);
        this.#initialized.resolve();
        return;
      } catch (error) {
        const text = errorText(error);
        if (text !== problem) {
          logger.info('CSINode not yet initialized', { error: text });
          onProblem(`Failed to initialize CSINode: ${text}`);
        }
        problem = text;
      }
    } while (await pause(clock, initialDelayMs, signal));
  }

  /** Shows a driver. @throws Error with release 1.20's message */
  install(driver: string, info: DriverNodeInfo): Promise<void> {
    return this.#inTurn(async () => {
      if (info.nodeId === '')
        throw new Error('error adding CSI driver node info: driverNodeID must not be empty');
      await explained('error updating Node object with CSI driver node info', () =>
        this.#updateNode(driver, info),
      );
      const entry = this.#entryOf(driver, info);
      const others = (drivers: readonly CSINodeDriver[]) => drivers.filter(({ name }) => name !== driver);
      await explained('error updating CSINode object with CSI driver node info', async () => {
        // The server takes no changes of an entry: one that differs goes first.
        await this.#updateObject((drivers) =>
          drivers.some((one) => isSameEntry(one, entry)) ? drivers : others(drivers),
        );
        await this.#updateObject((drivers) => [...others(drivers), entry]);
      });
    });
  }

  /** Shows a driver no longer; labels stay, as volumes may rely on them. @throws Error */
  uninstall(driver: string): Promise<void> {
    return this.#inTurn(async () => {
      await explained('error uninstalling CSI driver from CSINode object', () =>
        this.#updateObject((drivers) => drivers.filter(({ name }) => name !== driver)),
      );
      await explained('error removing CSI driver node info from Node object', () =>
        this.#updateNode(driver, undefined),
      );
    });
  }

  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const own = this.#last.then(task, task);
    this.#last = own.catch(() => {}); // whoever began it is told
    return own;
  }

  /** Labels of the driver's topology, and its name for the node among those of all drivers. */
  async #updateNode(driver: string, info: DriverNodeInfo | undefined): Promise<void> {
    const node = await this.#readNode();
    const { labels = {}, annotations = {} } = node.metadata;
    const before = annotations[this.#annotation];
    const ids = new Map(Object.entries(parseIds(before)));
    if (info === undefined) ids.delete(driver);
    else ids.set(driver, info.nodeId);
    const text = ids.size === 0 ? null : JSON.stringify(Object.fromEntries([...ids].sort(byKey)));
    const added: Record<string, string> = {};
    for (const [key, value] of Object.entries(info?.topology ?? {})) {
      const shown = labels[key];
      if (shown === undefined) added[key] = value;
      else if (shown !== value) {
        const given = `driver reported "${key}":"${value}" but existing label is "${key}":"${shown}"`;
        throw new Error(`detected topology value collision: ${given}`);
      }
    }
    const metadata = {
      ...(text === (before ?? null) ? {} : { annotations: { [this.#annotation]: text } }),
      ...(Object.keys(added).length === 0 ? {} : { labels: added }),
    };
    if (Object.keys(metadata).length === 0) return;
    const { client, path } = this.#node('status');
    const contentType = 'application/strategic-merge-patch+json';
    await client.json({ method: 'PATCH', path, contentType, body: { metadata }, timeoutMs });
  }

  #entryOf(name: string, { nodeId: nodeID, maxVolumes, topology }: DriverNodeInfo): CSINodeDriver {
    if (maxVolumes < 0) {
      this.#options.logger.error('attach limit of CSI driver is negative', { name, maxVolumes });
    }
    const count = Math.min(maxVolumes, maxInt32);
    return {
      name,
      nodeID,
      topologyKeys: Object.keys(topology).sort(),
      ...(count > 0 ? { allocatable: { count } } : {}),
    };
  }

  /** Writes the object with other drivers, unless it says all that already; makes it when it is missing. */
  async #updateObject(
    change: (drivers: readonly CSINodeDriver[]) => readonly CSINodeDriver[],
  ): Promise<void> {
    for (const delayMs of [...retryDelaysMs, undefined]) {
      try {
        await this.#tryUpdate(change);
        return;
      } catch (error) {
        const isRace = isReason(error, 'Conflict') || isReason(error, 'AlreadyExists');
        if (!isRace || delayMs === undefined) throw error;
        await pause(this.#options.clock, delayMs, AbortSignal.timeout(timeoutMs));
      }
    }
  }

  async #tryUpdate(change: (drivers: readonly CSINodeDriver[]) => readonly CSINodeDriver[]): Promise<void> {
    const { client, path, collection } = this.#object();
    const shown = await unlessMissing(client.json<CSINode>({ method: 'GET', path, timeoutMs }));
    const before = shown?.spec.drivers ?? [];
    const drivers = change(before);
    const annotations = this.#annotations(shown?.metadata.annotations);
    const isSame = jsonEqual(byName(before), byName(drivers));
    if (shown !== undefined) {
      if (isSame && jsonEqual(annotations, shown.metadata.annotations ?? {})) return;
      const body = { ...shown, metadata: { ...shown.metadata, annotations }, spec: { drivers } };
      await client.json({ method: 'PUT', path, body, timeoutMs });
      return;
    }
    const { metadata } = await this.#readNode();
    const { name, uid } = metadata;
    const body = {
      apiVersion: `${this.#options.dialect.group('storage')}/v1`,
      kind: 'CSINode',
      metadata: { name, annotations, ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid }] },
      spec: { drivers },
    };
    await client.json({ method: 'POST', path: collection, body, timeoutMs });
  }

  #annotations(shown: Readonly<Record<string, string>> = {}): Record<string, string> {
    const { dialect, migratedPlugins } = this.#options;
    const key = migratedAnnotation(dialect);
    const others = Object.fromEntries(Object.entries(shown).filter(([name]) => name !== key));
    return migratedPlugins.length === 0 ? others : { ...others, [key]: migratedPlugins.toSorted().join(',') };
  }

  async #readNode(): Promise<Node> {
    const { client, path } = this.#node();
    return client.json<Node>({ method: 'GET', path, timeoutMs });
  }

  #node(subresource?: string): { readonly client: RestClient; readonly path: string } {
    const { nodeName: name } = this.#options;
    const path = resourcePath({ group: '', version: 'v1', resource: 'nodes', name, subresource });
    return { client: this.#client(), path };
  }

  #object(): { readonly client: RestClient; readonly path: string; readonly collection: string } {
    const { dialect, nodeName: name } = this.#options;
    const resource = { group: dialect.group('storage'), version: 'v1', resource: 'csinodes' };
    return {
      client: this.#client(),
      path: resourcePath({ ...resource, name }),
      collection: resourcePath(resource),
    };
  }

  #client(): RestClient {
    const { client, dialect } = this.#options;
    if (client === undefined) throw new Error(dialect.spell('error getting orch client'));
    return client;
  }
}

const byKey = ([one]: readonly [string, string], [other]: readonly [string, string]): number =>
  one < other ? -1 : 1;

const byName = (drivers: readonly CSINodeDriver[]): CSINodeDriver[] =>
  drivers.map(normal).toSorted((one, other) => (one.name < other.name ? -1 : 1));

/** An empty list comes back as null. */
const normal = (driver: CSINodeDriver): CSINodeDriver => ({
  ...driver,
  topologyKeys: driver.topologyKeys ?? [],
});

const isSameEntry = (one: CSINodeDriver, other: CSINodeDriver): boolean =>
  jsonEqual(normal(one), normal(other));

/** @throws Error when the annotation is no object of texts */
function parseIds(text: string | undefined): Record<string, string> {
  if (text === undefined || text === '') return {};
  const value: unknown = JSON.parse(text);
  const entries = Object.entries(Object(value));
  return Object.fromEntries(entries.map(([driver, id]) => [driver, String(id)]));
}

async function explained(what: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (cause) {
    throw new Error(`${what}: ${errorText(cause)}`, { cause });
  }
}

async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isReason(error, 'NotFound')) return undefined;
    throw error;
  }
}
