import { join } from 'node:path';
import type { Container, Pod, Volume } from '../../src/apis/types/core-v1.ts';
import { silentLogger, systemClock } from '../../src/base/index.ts';
import { orchDialect } from '../../src/machinery/dialect.ts';
import {
  createMountCommands,
  createPodVolumes,
  type MountedVolume,
  type MountPoint,
  type PodVolumes,
  type PodVolumesOptions,
  VolumeError,
  type VolumeNotice,
} from '../../src/nodeagent/volumes/index.ts';
import { containerOf, podOf } from '../unit/nodeagent/container-config/pods.ts';
import { type FakeObjects, objectsOf } from '../unit/nodeagent/volumes/objects.ts';
import type { TemporaryDirectory } from './temporary-directory.ts';

const system = createMountCommands();

/** What pods are mounted with where nothing depends on it. */
export const mountContext = { podIps: [], hostIps: [], allocatable: {} };

/** The part of an agent that makes volumes, mounted for real, in a folder of its test. */
export class VolumeAgent implements AsyncDisposable {
  /** The folder of the test, which goes with the agent. */
  readonly folder: string;
  /** The agent's, below it. */
  readonly root: string;
  /** What the API server knows; undefined: there is none. What it holds may be changed as well. */
  known: FakeObjects | undefined = {};
  readonly notices: VolumeNotice[] = [];
  /** Ends what the agent needs, after its mounts. */
  protected readonly needed = new AsyncDisposableStack();

  constructor(directory: TemporaryDirectory) {
    this.folder = directory.path;
    this.root = join(directory.path, 'root');
    this.needed.use(directory);
  }

  /** Volumes of one process of the agent; another one is a later process. */
  create(options: Partial<PodVolumesOptions> = {}): PodVolumes {
    return createPodVolumes({
      onStale() {},
      onOperation() {},
      onEvent: (_pod, notice) => void this.notices.push(notice),
      rootDirectory: this.root,
      dialect: orchDialect,
      objects: this.known && objectsOf(this.known),
      clock: systemClock,
      logger: silentLogger,
      mount: system,
      usagePeriodMs: 60_000,
      ...options,
    });
  }

  /** Mounts in the folder of the test, the oldest first. */
  async mountPoints(): Promise<readonly MountPoint[]> {
    return (await system.list()).filter(({ path }) => path.startsWith(`${this.folder}/`));
  }

  /** Paths of the mounts below the root folder, seen from there. */
  async mounts(): Promise<string[]> {
    const below = (await this.mountPoints()).filter(({ path }) => path.startsWith(`${this.root}/`));
    return below.map(({ path }) => path.slice(this.root.length));
  }

  /** Ends the mounts that a failed test has left, too. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      for (const { path } of [...(await this.mountPoints())].reverse()) await system.unmount(path);
    } finally {
      await this.needed.disposeAsync();
    }
  }
}

/** What pods use a persistent volume by. */
export const ofClaim = { persistentVolumeClaim: { claimName: 'claim' } };

const podUsing = (
  used: Partial<Container>,
  volume: Omit<Volume, 'name'>,
  uid: string,
  spec: Partial<Pod['spec']> = {},
): Pod => podOf({ volumes: [{ name: 'v', ...volume }], containers: [containerOf(used)], ...spec }, { uid });

/** The pod `web` of `shop` that mounts the volume as `v`. */
export const podWithVolume = (volume: Omit<Volume, 'name'>, uid = 'u-1', spec?: Partial<Pod['spec']>): Pod =>
  podUsing({ volumeMounts: [{ name: 'v', mountPath: '/v' }] }, volume, uid, spec);

/** The same with the volume as a device. */
export const podWithDevice = (volume: Omit<Volume, 'name'>, uid = 'u-1'): Pod =>
  podUsing({ volumeDevices: [{ name: 'v', devicePath: '/dev/xvda' }] }, volume, uid);

/** Mounts the volumes of the pod, and takes out `v`. @throws VolumeError with the reasons in its message, which are in its events only */
export async function mountOne(volumes: PodVolumes, pod: Pod): Promise<MountedVolume | undefined> {
  try {
    return (await volumes.mount(pod, mountContext)).get('v');
  } catch (error) {
    if (!(error instanceof VolumeError) || error.events.length === 0) throw error;
    const reasons = error.events.map(({ message }) => message).join('; ');
    throw new VolumeError(`${error.message}: ${reasons}`, { ...error, cause: error });
  }
}

/** The path of that. */
export const mountPath = async (volumes: PodVolumes, pod: Pod): Promise<string> =>
  (await mountOne(volumes, pod))?.path ?? '';

/** @throws Error when the action succeeds, or fails in another way */
export async function volumeErrorOf(action: Promise<unknown>): Promise<VolumeError> {
  const error = await action.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof VolumeError)) throw new Error('not refused with events', { cause: error });
  return error;
}

/** Messages of the events of a volume that cannot be made. */
export const complaintsOf = async (action: Promise<unknown>): Promise<string[]> =>
  (await volumeErrorOf(action)).events.map(({ message }) => message);

/** The same with their reasons. */
export const eventsOf = async (action: Promise<unknown>): Promise<string[]> =>
  (await volumeErrorOf(action)).events.map(({ reason, message }) => `${reason}: ${message}`);
