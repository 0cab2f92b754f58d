import { expect } from 'chai';
import type { Pod } from '../../../../src/apis/types/core-v1.ts';
import { type DrainLimits, judgePod, type Verdict } from '../../../../src/ctl/drain/judge-pod.ts';

const nowMs = Date.parse('2021-01-01T00:01:00Z');
const strict: DrainLimits = {
  force: false,
  ignoreDaemonsets: false,
  deleteEmptydirData: false,
  skipWaitForDeleteTimeoutSeconds: 0,
};
const owner = (kind: string) => [{ apiVersion: 'apps/v1', kind, name: 'o', uid: 'u', controller: true }];
const pod = (metadata: object, rest: object = {}) =>
  ({ metadata: { namespace: 'ns', name: 'p', ...metadata }, ...rest }) as unknown as Pod; // what is looked at
const judge = (
  one: Pod,
  limits: Partial<DrainLimits> = {},
  problem?: { text: string; isNotFound: boolean },
) =>
  judgePod(one, { ...strict, ...limits }, { mirrorAnnotation: 'mirror', nowMs, daemonSetProblem: problem });

const managed = pod({ ownerReferences: owner('ReplicaSet') });
const bare = pod({});
const daemon = pod({ ownerReferences: owner('DaemonSet') });
const local = pod({ ownerReferences: owner('Job') }, { spec: { volumes: [{ name: 'v', emptyDir: {} }] } });
const finished = { status: { phase: 'Failed' } };
const gone = { text: 'daemonsets.apps "o" not found', isNotFound: true };
const denied = { text: 'not allowed', isNotFound: false };
const unmanaged = 'Pods not managed by ReplicationController, ReplicaSet, Job, DaemonSet or StatefulSet';

const cases: [what: string, verdict: Verdict, expected: Verdict][] = [
  ['a pod of a controller goes', judge(managed), { isToEnd: true }],
  [
    'a bare pod forbids the drain',
    judge(bare),
    { isToEnd: false, refusal: `${unmanaged} (use --force to override)` },
  ],
  [
    'a bare pod goes by force, told',
    judge(bare, { force: true }),
    { isToEnd: true, warning: `deleting ${unmanaged}` },
  ],
  ['a bare pod that ended goes', judge(pod({}, finished)), { isToEnd: true }],
  [
    'an owner that does not control is none',
    judge(pod({ ownerReferences: [{ ...owner('Job')[0], controller: false }] })),
    { isToEnd: false, refusal: `${unmanaged} (use --force to override)` },
  ],
  [
    'a daemon forbids the drain',
    judge(daemon),
    { isToEnd: false, refusal: 'DaemonSet-managed Pods (use --ignore-daemonsets to ignore)' },
  ],
  [
    'a daemon stays when ignored',
    judge(daemon, { ignoreDaemonsets: true }),
    { isToEnd: false, warning: 'ignoring DaemonSet-managed Pods' },
  ],
  [
    'a daemon that ended goes',
    judge(pod({ ownerReferences: owner('DaemonSet') }, finished)),
    { isToEnd: true },
  ],
  [
    'a daemon whose set is gone forbids the drain',
    judge(daemon, { ignoreDaemonsets: true }, gone),
    { isToEnd: false, refusal: gone.text },
  ],
  ['and goes by force', judge(daemon, { force: true }, gone), { isToEnd: true, warning: gone.text }],
  [
    'a daemon set that cannot be read forbids the drain, force or not',
    judge(daemon, { force: true }, denied),
    { isToEnd: false, refusal: denied.text },
  ],
  ['a pod of a file stays', judge(pod({ annotations: { mirror: 'x' } })), { isToEnd: false }],
  [
    'local data forbids the drain',
    judge(local),
    { isToEnd: false, refusal: 'Pods with local storage (use --delete-emptydir-data to override)' },
  ],
  [
    'and is told when it goes',
    judge(local, { deleteEmptydirData: true }),
    { isToEnd: true, warning: 'deleting Pods with local storage' },
  ],
  [
    'a pod that is ending for too long is passed over',
    judge(pod({ deletionTimestamp: '2021-01-01T00:00:00Z' }), { skipWaitForDeleteTimeoutSeconds: 59 }),
    { isToEnd: false },
  ],
  [
    'one that is not is judged',
    judge(pod({ deletionTimestamp: '2021-01-01T00:00:00Z', ownerReferences: owner('Job') }), {
      skipWaitForDeleteTimeoutSeconds: 60,
    }),
    { isToEnd: true },
  ],
];

describe('what becomes of a pod when its node is drained', () => {
  for (const [what, verdict, expected] of cases) {
    it(what, () => {
      expect(verdict).to.deep.equal(expected);
    });
  }
});
