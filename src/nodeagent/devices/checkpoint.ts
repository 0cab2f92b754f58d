import { readFile } from 'node:fs/promises';
import { fnv1a, isJsonObject, writeFileAtomic } from '../../base/index.ts';

/** Devices of one resource that a container has. */
export interface HeldDevices {
  readonly podUid: string;
  readonly container: string;
  readonly resource: string;
  /** Ids of devices by NUMA node, those without one by node 0; a device may be near to several. */
  readonly idsByNode: ReadonlyMap<number, readonly string[]>;
  /** What the plugin answered: `ContainerAllocateResponse`. */
  readonly allocation: Buffer;
}

/** What an agent that starts anew must know. */
export interface DeviceCheckpoint {
  readonly held: readonly HeldDevices[];
  /** Healthy devices by resource. */
  readonly registered: ReadonlyMap<string, readonly string[]>;
}

/** All ids of an entry, each once. */
export const heldIds = ({ idsByNode }: HeldDevices): ReadonlySet<string> =>
  new Set([...idsByNode.values()].flat());

/**
 * Reads what was written last; undefined when nothing was. Release 1.20's form, and that of the releases before, which
 * know nothing of NUMA nodes.
 *
 * @throws Error for a file that nobody wrote
 */
export async function readCheckpoint(path: string): Promise<DeviceCheckpoint | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? undefined : parseCheckpoint(text);
}

/** Replaces the file, also over a loss of power. @throws Error */
export function writeCheckpoint(path: string, checkpoint: DeviceCheckpoint): Promise<void> {
  return writeFileAtomic(path, formatCheckpoint(checkpoint), { isDurable: true });
}

/** As the file has it. */
interface StoredEntry {
  readonly PodUID: string;
  readonly ContainerName: string;
  readonly ResourceName: string;
  /** By NUMA node; a list before release 1.20. */
  readonly DeviceIDs: Readonly<Record<string, readonly string[]>> | readonly string[];
  /** Base64. */
  readonly AllocResp: string;
}

interface StoredData {
  readonly PodDeviceEntries: readonly StoredEntry[] | null;
  readonly RegisteredDevices: Readonly<Record<string, readonly string[]>>;
}

/** The file's text. */
export function formatCheckpoint({ held, registered }: DeviceCheckpoint): string {
  const entries = held.map(
    ({ podUid, container, resource, idsByNode, allocation }): StoredEntry => ({
      PodUID: podUid,
      ContainerName: container,
      ResourceName: resource,
      DeviceIDs: Object.fromEntries(idsByNode),
      AllocResp: allocation.toString('base64'),
    }),
  );
  const data: StoredData = {
    PodDeviceEntries: entries.length === 0 ? null : entries,
    RegisteredDevices: Object.fromEntries([...registered].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
  return JSON.stringify({ Data: data, Checksum: checksumOf(data) });
}

/** The reverse. @throws Error for a text that no agent wrote; a checksum of 0 fits everything, as in release 1.20 */
export function parseCheckpoint(text: string): DeviceCheckpoint {
  const value: unknown = JSON.parse(text);
  const data = isJsonObject(value) ? value.Data : undefined;
  if (!isJsonObject(value) || !isStoredData(data)) throw new Error('checkpoint is corrupted');
  if (value.Checksum !== 0 && value.Checksum !== checksumOf(data)) throw new Error('checkpoint is corrupted');
  return {
    held: (data.PodDeviceEntries ?? []).map((entry) => ({
      podUid: entry.PodUID,
      container: entry.ContainerName,
      resource: entry.ResourceName,
      idsByNode: idsByNode(entry.DeviceIDs),
      allocation: Buffer.from(entry.AllocResp, 'base64'),
    })),
    registered: new Map(Object.entries(data.RegisteredDevices)),
  };
}

function idsByNode(ids: StoredEntry['DeviceIDs']): ReadonlyMap<number, readonly string[]> {
  return isList(ids)
    ? new Map([[0, ids]])
    : new Map(Object.entries(ids).map(([node, list]) => [Number(node), list]));
}

const isList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

const isMapOfLists = (value: unknown): value is Readonly<Record<string, readonly string[]>> =>
  isJsonObject(value) && Object.values(value).every(isList);

function isStoredData(value: unknown): value is StoredData {
  if (!isJsonObject(value) || !isMapOfLists(value.RegisteredDevices)) return false;
  const entries = value.PodDeviceEntries;
  return entries === null || (Array.isArray(entries) && entries.every(isStoredEntry));
}

function isStoredEntry(value: unknown): value is StoredEntry {
  if (!isJsonObject(value)) return false;
  const texts = [value.PodUID, value.ContainerName, value.ResourceName, value.AllocResp];
  return (
    texts.every((text) => typeof text === 'string') &&
    (isList(value.DeviceIDs) || isMapOfLists(value.DeviceIDs))
  );
}

/** The checksum that release 1.20 writes and demands: FNV-1a of its own rendering of the data. */
function checksumOf({ PodDeviceEntries: entries, RegisteredDevices: registered }: StoredData): number {
  const list =
    entries === null ? '<nil>' : `[${entries.map((entry) => `{${renderEntry(entry)}}`).join(' ')}]`;
  return fnv1a(
    `(checkpoint.checkpointData){PodDeviceEntries:([]checkpoint.PodDevicesEntry)${list} ` +
      `RegisteredDevices:(map[string][]string)${renderMap(registered, (a, b) => (a < b ? -1 : 1))}}`,
  );
}

function renderEntry({ PodUID, ContainerName, ResourceName, DeviceIDs, AllocResp }: StoredEntry): string {
  const ids = isList(DeviceIDs)
    ? `([]string)[${DeviceIDs.join(' ')}]`
    : `(checkpoint.DevicesPerNUMA)${renderMap(DeviceIDs, (a, b) => Number(a) - Number(b))}`;
  const bytes = [...Buffer.from(AllocResp, 'base64')].join(' ');
  return `PodUID:(string)${PodUID} ContainerName:(string)${ContainerName} ResourceName:(string)${ResourceName} DeviceIDs:${ids} AllocResp:([]uint8)[${bytes}]`;
}

function renderMap(
  map: Readonly<Record<string, readonly string[]>>,
  compare: (a: string, b: string) => number,
): string {
  const parts = Object.entries(map)
    .sort(([a], [b]) => compare(a, b))
    .map(([key, list]) => `${key}:[${list.join(' ')}]`);
  return `map[${parts.join(' ')}]`;
}
