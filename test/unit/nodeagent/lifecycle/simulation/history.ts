import fc from 'fast-check';
import type { Container, Pod } from '../../../../../src/apis/types/core-v1.ts';
import type { World } from './world.ts';

/** One thing that happens, and how long nothing else does after it. */
export interface Happening {
  readonly kind:
    | 'add'
    | 'add-static'
    | 'remove-static'
    | 'update'
    | 'delete'
    | 'shorten'
    | 'force'
    | 'evict'
    | 'kill-agent'
    | 'reboot'
    | 'lose-sandbox'
    | 'away';
  /** Which pod, and which container of it. */
  readonly which: number;
  readonly spec: PodShape;
  readonly graceSeconds: number;
  readonly thenMs: number;
}

export interface PodShape {
  readonly init: readonly string[];
  readonly containers: readonly string[];
  readonly restartPolicy: string;
  readonly graceSeconds: number;
  readonly hostNetwork: boolean;
}

const behaviours = fc.constantFrom(
  'run',
  'run',
  'run term=800',
  'run term=never',
  'run dies=20000',
  'job exit=0@3000',
  'job exit=1@700',
  'job exit=0@60000 term=never',
);

const shapes: fc.Arbitrary<PodShape> = fc.record({
  init: fc.array(fc.constantFrom('job exit=0@500', 'job exit=0@4000', 'job exit=1@900'), { maxLength: 2 }),
  containers: fc.array(behaviours, { minLength: 1, maxLength: 3 }),
  restartPolicy: fc.constantFrom('Always', 'Always', 'OnFailure', 'Never'),
  graceSeconds: fc.constantFrom(0, 3, 30),
  hostNetwork: fc.boolean(),
});

export const happenings: fc.Arbitrary<Happening[]> = fc.array(
  fc.record({
    kind: fc.constantFrom(
      'add' as const,
      'add' as const,
      'add' as const,
      'add-static' as const,
      'remove-static' as const,
      'update' as const,
      'update' as const,
      'delete' as const,
      'delete' as const,
      'shorten' as const,
      'force' as const,
      'evict' as const,
      'kill-agent' as const,
      'reboot' as const,
      'lose-sandbox' as const,
      'away' as const,
    ),
    which: fc.nat(20),
    spec: shapes,
    graceSeconds: fc.constantFrom(1, 5, 30, 600),
    thenMs: fc.constantFrom(0, 5, 40, 200, 900, 3000, 12_000, 45_000),
  }),
  { minLength: 1, maxLength: 25 },
);

/** Names of pods are few, so that pods follow one another under the same name. */
const names = 4;

/** Lets one thing happen, where it can. */
export async function happen(world: World, each: Happening): Promise<void> {
  const { which, graceSeconds } = each;
  const pods = [...world.desired.api.values()];
  const pod = pods[which % Math.max(1, pods.length)];
  switch (each.kind) {
    case 'add': {
      const name = `p${which % names}`;
      if (!pods.some(({ metadata }) => metadata.name === name))
        world.put('api', makePod(world, name, each.spec));
      break;
    }
    case 'add-static': {
      const name = `s${which % 2}`;
      const [old] = [...world.desired.file.values()].filter(({ metadata }) => metadata.name === name);
      if (old !== undefined) world.desired.file.delete(old.metadata.uid ?? '');
      world.put('file', makePod(world, name, each.spec));
      break;
    }
    case 'remove-static': {
      const [uid] = world.desired.file.keys();
      if (uid !== undefined) world.remove('file', uid);
      break;
    }
    case 'update':
      if (pod !== undefined) world.put('api', changeImage(pod, which));
      break;
    case 'delete':
      if (pod !== undefined && pod.metadata.deletionTimestamp === undefined)
        world.put('api', markDeleted(world, pod, graceSeconds));
      break;
    case 'shorten':
      if ((pod?.metadata.deletionGracePeriodSeconds ?? 0) > graceSeconds && pod !== undefined)
        world.put('api', markDeleted(world, pod, graceSeconds));
      break;
    case 'force':
      if (pod !== undefined) world.remove('api', pod.metadata.uid ?? '');
      break;
    case 'evict': {
      const graceMs = which % 2 === 0 ? 0 : undefined;
      void world.evict(pod?.metadata.uid ?? '', { reason: 'Evicted', message: 'simulated', graceMs });
      break;
    }
    case 'kill-agent':
      world.killAgent();
      await world.time.pass(graceSeconds * 20);
      world.startAgent();
      break;
    case 'reboot':
      world.killAgent();
      world.runtime.reboot();
      world.startAgent();
      break;
    case 'lose-sandbox':
      world.runtime.loseSandbox(pod?.metadata.uid ?? '');
      break;
    case 'away':
      world.faults.isAway = true;
      await world.time.pass(graceSeconds * 500);
      world.faults.isAway = false;
      break;
  }
  await world.time.pass(each.thenMs);
}

function makePod(world: World, name: string, shape: PodShape): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', uid: world.nextUid() },
    spec: {
      initContainers: shape.init.map((image, index) => makeContainer(`i${index}`, image)),
      containers: shape.containers.map((image, index) => makeContainer(`c${index}`, image)),
      restartPolicy: shape.restartPolicy,
      terminationGracePeriodSeconds: shape.graceSeconds,
      hostNetwork: shape.hostNetwork,
    },
    status: {},
  };
}

const makeContainer = (name: string, image: string): Container => ({ name, image, resources: {} });

function changeImage(pod: Pod, which: number): Pod {
  const containers = pod.spec.containers ?? [];
  const index = which % Math.max(1, containers.length);
  const next = containers.map((each, at) =>
    at === index ? { ...each, image: `${each.image?.split(' v=')[0]} v=${which}` } : each,
  );
  return { ...pod, spec: { ...pod.spec, containers: next } };
}

function markDeleted({ time }: World, pod: Pod, graceSeconds: number): Pod {
  const deletionTimestamp = new Date(time.nowMs + graceSeconds * 1000).toISOString();
  const metadata = { ...pod.metadata, deletionTimestamp, deletionGracePeriodSeconds: graceSeconds };
  return { ...pod, metadata };
}
