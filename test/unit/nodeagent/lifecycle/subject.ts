import type { Container, Pod } from '../../../../src/apis/types/core-v1.ts';
import type { SimulatedParts } from './simulation/simulated-parts.ts';
import { World, type WorldOptions } from './simulation/world.ts';

/** A pod of the API server with one container `c0` that runs for ever, but for what is given. */
export function podOf(
  uid: string,
  {
    name = uid,
    spec = {},
    ...metadata
  }: Partial<Pod['metadata']> & { readonly spec?: Partial<Pod['spec']> } = {},
): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'default', name, uid, ...metadata },
    spec: {
      containers: [containerOf('c0', 'run')],
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      ...spec,
    },
    status: {},
  };
}

/** A container that does what its image says. */
export const containerOf = (name: string, image: string, fields: Partial<Container> = {}): Container => {
  return { name, image, resources: {}, ...fields };
};

/** A world without faults whose agent has begun, and has heard of no pods. */
export async function beginWorld(options: WorldOptions = {}): Promise<World> {
  const world = new World(1, options);
  world.startAgent();
  await world.time.pass(2000);
  return world;
}

/** Reasons of the events of a pod, oldest first. */
export function reasonsOf({ events }: World, uid: string): readonly string[] {
  return events.flatMap(({ about, reason }) =>
    about.kind === 'pod' && about.pod.metadata.uid === uid ? [reason] : [],
  );
}

export const messagesOf = ({ events }: World, reason: string): readonly string[] =>
  events.filter((each) => each.reason === reason).map(({ message }) => message);

/** Instances of a pod's containers that run, by the names of the containers. */
export function runningOf({ runtime }: World, uid: string): readonly string[] {
  return [...runtime.containers.values()]
    .filter((each) => each.uid === uid && each.status.state === 'running')
    .map(({ name }) => name);
}

export const sandboxesOf = ({ runtime }: World, uid: string) =>
  [...runtime.sandboxes.values()].filter((each) => each.uid === uid);

/** When something happened, in seconds of the world's life. */
export const secondsOf = ({ time }: World, atMs: number): number => Math.floor((atMs - time.beginMs) / 1000);

/** The parts with some of their calls replaced; the rest of a part stays as it is. */
export function replace<K extends 'images' | 'hooks'>(
  key: K,
  calls: Partial<SimulatedParts[K]>,
): NonNullable<WorldOptions['parts']> {
  return (parts) => ({ [key]: { ...parts[key], ...calls } });
}

/** The pod as it is once its deletion was asked for. */
export function deleted(pod: Pod, graceSeconds: number): Pod {
  const metadata = {
    ...pod.metadata,
    deletionTimestamp: '2030-01-01T00:10:00Z',
    deletionGracePeriodSeconds: graceSeconds,
  };
  return { ...pod, metadata };
}
