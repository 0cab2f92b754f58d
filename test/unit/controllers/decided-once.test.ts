import { expect } from 'chai';
import fc from 'fast-check';
import type {
  Node,
  PersistentVolumeClaim,
  Pod,
  ServiceAccount,
  Taint,
} from '../../../src/apis/types/core-v1.ts';
import type { ClusterRole, PolicyRule } from '../../../src/apis/types/rbac-authorization-v1.ts';
import { decideAggregatedRules } from '../../../src/controllers/cluster-role-aggregation.ts';
import {
  decide as decideOrphan,
  type OwnerFinding,
} from '../../../src/controllers/garbage-collector/decide.ts';
import {
  decideLabels,
  decideTaints,
  withEvictionTaint,
} from '../../../src/controllers/node-lifecycle/decide.ts';
import { CacheTime, decideAnnotation } from '../../../src/controllers/node-ttl/decide.ts';
import { decideGarbage } from '../../../src/controllers/pod-gc/decide.ts';
import { decideReplicaStatus } from '../../../src/controllers/replica-set/decide.ts';
import {
  decideSecretRepair,
  tokenSecretNames,
  withToken,
} from '../../../src/controllers/service-account-tokens/decide.ts';
import { decideClaimFinalizer } from '../../../src/controllers/volume-protection/decide.ts';
import { decideClaims, type Owner } from '../../../src/controllers/workloads/claims.ts';
import { orchDialect } from '../../../src/machinery/dialect.ts';
import type { ApiObject } from '../../../src/machinery/meta/index.ts';
import { labelSelectorFromSet } from '../../../src/machinery/selectors/index.ts';

const nowMs = Date.UTC(2026, 0, 1);
const past = '2025-12-31T23:59:00Z';
const deletion = fc.constantFrom({}, { deletionTimestamp: past });

describe('a decision about any state', () => {
  it('on who owns what: takes nothing of others, and is done once', () => {
    const owner: Owner = {
      ...{ apiVersion: 'apps/v1', kind: 'ReplicaSet', namespace: 'n', name: 's', uid: 'u' },
      isBeingDeleted: false,
    };
    const anyObject = fc
      .record({
        app: fc.constantFrom('a', 'b'),
        controller: fc.constantFrom('', 'u', 'other'),
        more: deletion,
      })
      .map(
        ({ app, controller, more }): ApiObject => ({
          kind: 'Pod',
          apiVersion: 'v1',
          metadata: {
            ...{ labels: { app }, ...more },
            ...(controller !== '' && {
              ownerReferences: [
                { apiVersion: 'v1', kind: 'K', name: 'k', uid: controller, controller: true },
              ],
            }),
          },
        }),
      );
    fc.assert(
      fc.property(fc.array(anyObject), fc.boolean(), (objects, isBeingDeleted) => {
        const by = { ...owner, isBeingDeleted };
        const selector = labelSelectorFromSet({ app: 'a' });
        const { owned, adopted, released } = decideClaims(by, selector, objects);
        const uidOf = ({ metadata }: ApiObject) => metadata.ownerReferences?.[0]?.uid;
        expect(owned.every((object) => uidOf(object) === 'u')).to.equal(true);
        expect(released.every((object) => uidOf(object) === 'u')).to.equal(true);
        expect(adopted.every((object) => uidOf(object) === undefined)).to.equal(true);
        if (isBeingDeleted) expect([...adopted, ...released]).to.deep.equal([]);
        const reference = {
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          name: 's',
          uid: 'u',
          controller: true,
        };
        const after = objects.map((object): ApiObject => {
          const { ownerReferences: _, ...metadata } = object.metadata;
          if (released.includes(object)) return { ...object, metadata };
          if (!adopted.includes(object)) return object;
          return { ...object, metadata: { ...metadata, ownerReferences: [reference] } };
        });
        const again = decideClaims(by, selector, after);
        expect([again.adopted, again.released]).to.deep.equal([[], []]);
        expect(again.owned).to.have.lengthOf(owned.length + adopted.length);
      }),
    );
  });

  it('on pods that are garbage: deletes none that runs where its node is, and not more than there are too many', () => {
    const anyPod = fc
      .record({
        phase: fc.constantFrom('Pending', 'Running', 'Succeeded', 'Failed'),
        nodeName: fc.constantFrom('', 'here', 'gone'),
        key: fc.tuple(fc.constantFrom('a', 'b'), fc.constantFrom('x', 'y', 'z')),
        creationTimestamp: fc.constantFrom(past, '2025-12-31T23:58:00Z'),
        more: deletion,
      })
      .map(
        ({ phase, nodeName, key: [namespace, name], creationTimestamp, more }) =>
          ({
            metadata: { namespace, name, creationTimestamp, ...more },
            spec: { nodeName },
            status: { phase },
          }) as unknown as Pod,
      );
    const anyPods = fc.uniqueArray(anyPod, {
      selector: ({ metadata }) => `${metadata.namespace}/${metadata.name}`,
    });
    fc.assert(
      fc.property(anyPods, fc.nat(5), (pods, threshold) => {
        const lostNodes = new Set(['gone']);
        const garbage = decideGarbage({ pods, threshold, lostNodes });
        expect(decideGarbage({ pods: pods.toReversed(), threshold, lostNodes })).to.have.members(garbage);
        const hasEnded = ({ status }: Pod) => status.phase === 'Succeeded' || status.phase === 'Failed';
        const isStranded = ({ metadata, spec }: Pod) =>
          spec.nodeName ? spec.nodeName === 'gone' : metadata.deletionTimestamp !== undefined;
        const others = garbage.filter((pod) => !isStranded(pod));
        expect(others.every(hasEnded)).to.equal(true);
        const tooMany = Math.max(0, pods.filter(hasEnded).length - threshold);
        expect(others.length).to.be.most(threshold === 0 ? 0 : tooMany);
        const left = pods.filter((pod) => !garbage.includes(pod));
        expect(decideGarbage({ pods: left, threshold, lostNodes })).to.deep.equal([]);
      }),
    );
  });

  const anyTaint = fc.record({
    key: fc.constantFrom(
      'node.orch.io/not-ready',
      'node.orch.io/unreachable',
      'node.orch.io/disk-pressure',
      'mine',
    ),
    effect: fc.constantFrom('NoSchedule', 'NoExecute', 'PreferNoSchedule'),
  });
  const anyTaints = fc.uniqueArray(anyTaint, { selector: ({ key, effect }) => `${key}:${effect}` });
  const textsOf = (taints: readonly Taint[]) => taints.map(({ key, effect }) => `${key}:${effect}`);

  it('on the taints of a node: keeps those of others, and is done once', () => {
    const anyCondition = fc.record({
      type: fc.constantFrom('Ready', 'DiskPressure', 'MemoryPressure'),
      status: fc.constantFrom('True', 'False', 'Unknown'),
    });
    const anyConditions = fc.uniqueArray(anyCondition, { selector: ({ type }) => type });
    const wanted = fc.constantFrom('not-ready', 'unreachable', undefined);
    fc.assert(
      fc.property(
        anyTaints,
        anyConditions,
        fc.boolean(),
        wanted,
        (taints, conditions, unschedulable, reason) => {
          const status = { conditions: conditions as NonNullable<Node['status']['conditions']> };
          const spec = { taints, unschedulable };
          const marked = decideTaints({ spec, status }, orchDialect, nowMs) ?? taints;
          expect(decideTaints({ spec: { ...spec, taints: marked }, status }, orchDialect, nowMs)).to.equal(
            undefined,
          );
          const options = { dialect: orchDialect, nowMs };
          const evicting = withEvictionTaint({ spec: { taints: marked } }, reason, options) ?? marked;
          expect(withEvictionTaint({ spec: { taints: evicting } }, reason, options)).to.equal(undefined);
          const isOfOthers = ({ key, effect }: Taint) => key === 'mine' || effect === 'PreferNoSchedule';
          expect(textsOf(evicting.filter(isOfOthers))).to.deep.equal(textsOf(taints.filter(isOfOthers)));
          expect(new Set(textsOf(evicting)).size).to.equal(evicting.length);
        },
      ),
    );
  });

  it('on the labels of a node and the time that its caches count: is done once', () => {
    const key = fc.constantFrom('orch.io/os', 'orch.io/arch', 'beta.orch.io/os', 'beta.orch.io/arch', 'x');
    const anyLabels = fc.dictionary(key, fc.constantFrom('a', 'b'));
    fc.assert(
      fc.property(anyLabels, fc.nat(2500), (labels, count) => {
        const changed = decideLabels({ metadata: { labels } }, orchDialect);
        const after = { ...labels, ...changed };
        expect(decideLabels({ metadata: { labels: after } }, orchDialect)).to.equal(undefined);
        for (const name of Object.keys(changed ?? {})) expect(name).to.match(/^beta\.orch\.io\//);
        const seconds = new CacheTime().secondsFor(count);
        const text = decideAnnotation({ metadata: { annotations: labels } }, 'ttl', seconds);
        const annotations = { ...labels, ...(text !== undefined && { ttl: text }) };
        expect(decideAnnotation({ metadata: { annotations } }, 'ttl', seconds)).to.equal(undefined);
      }),
    );
  });

  it('on what keeps a claim: is done once, and never lets one go that a pod uses', () => {
    const finalizers = fc.subarray(['f', 'other']);
    fc.assert(
      fc.property(finalizers, deletion, fc.boolean(), fc.boolean(), (has, more, isUsed, isPlaced) => {
        const claim = {
          metadata: { name: 'c', finalizers: has, ...more },
        } as unknown as PersistentVolumeClaim;
        const pod = {
          metadata: { name: 'p' },
          spec: {
            ...(isPlaced && { nodeName: 'x' }),
            volumes: [{ name: 'v', persistentVolumeClaim: { claimName: isUsed ? 'c' : 'd' } }],
          },
        } as unknown as Pod;
        const change = decideClaimFinalizer(claim, 'f', [pod]);
        if (isUsed && isPlaced) expect(change).to.not.equal('remove');
        const others = has.filter((name) => name !== 'f');
        const after = change === 'add' ? [...has, 'f'] : change === 'remove' ? others : has;
        const next = { ...claim, metadata: { ...claim.metadata, finalizers: after } };
        expect(decideClaimFinalizer(next, 'f', [pod])).to.equal(undefined);
      }),
    );
  });

  it('on roles that are sums of others: they come to rest, and have no rule that no other role has', () => {
    const anyRole = fc.record({
      labels: fc.subarray(['a', 'b', 'c']),
      selected: fc.option(fc.subarray(['a', 'b', 'c']), { nil: undefined }),
      verbs: fc.subarray(['get', 'list', 'watch']),
    });
    fc.assert(
      fc.property(fc.array(anyRole, { maxLength: 5 }), fc.boolean(), (parts, isBackwards) => {
        let roles = parts.map(
          ({ labels, selected, verbs }, at): ClusterRole => ({
            apiVersion: 'rbac.authorization.orch.io/v1',
            kind: 'ClusterRole',
            metadata: { name: `r${at}`, labels: Object.fromEntries(labels.map((name) => [name, 'yes'])) },
            rules: verbs.map((verb) => ({ verbs: [verb] })),
            ...(selected && {
              aggregationRule: {
                clusterRoleSelectors: selected.map((name) => ({ matchLabels: { [name]: 'yes' } })),
              },
            }),
          }),
        );
        const textOf = ({ verbs }: PolicyRule): string => (verbs ?? []).join();
        const known = new Set(roles.flatMap(({ rules }) => (rules ?? []).map(textOf)));
        for (let round = 0, hasChanged = true; hasChanged; round++) {
          expect(round, 'rounds').to.be.below(20);
          hasChanged = false;
          for (const { metadata } of isBackwards ? roles.toReversed() : roles) {
            const role = roles.find((each) => each.metadata.name === metadata.name);
            if (role?.aggregationRule === undefined) continue;
            const rules = decideAggregatedRules(role, roles);
            if (rules === undefined) continue;
            hasChanged = true;
            roles = roles.map((each) => (each === role ? { ...role, rules: [...rules] } : each));
            for (const rule of rules) expect(known.has(textOf(rule))).to.equal(true);
          }
        }
      }),
    );
  });

  it('on the secret of a token: keeps what else it has, and is done once', () => {
    const names = tokenSecretNames(orchDialect.spell);
    const account = { metadata: { namespace: 'n', name: 'a', uid: 'u' } } as ServiceAccount;
    const anyData = fc.dictionary(
      fc.constantFrom('token', 'ca.crt', 'namespace', 'x'),
      fc.constantFrom('', 'eA=='),
    );
    const anyAnnotations = fc.dictionary(
      fc.constantFrom(names.accountName, names.accountUid, 'x'),
      fc.constantFrom('a', 'u'),
    );
    fc.assert(
      fc.property(anyData, anyAnnotations, fc.boolean(), (data, annotations, isPublished) => {
        const contents = { names, authorityPem: isPublished ? 'pem' : undefined };
        const metadata = { name: 's', namespace: 'n', annotations };
        const secret = { kind: 'Secret', apiVersion: 'v1', type: names.type, metadata, data };
        const repair = decideSecretRepair(secret, account, contents);
        if (repair === undefined) return;
        const after = repair.needsToken ? withToken(repair.secret, 't') : repair.secret;
        expect(decideSecretRepair(after, account, contents)).to.equal(undefined);
        expect([after.data?.x, after.metadata.annotations?.x]).to.deep.equal([data.x, annotations.x]);
        if (data.token) expect(after.data?.token).to.equal(data.token);
      }),
    );
  });

  it('on an object whose owners go: deletes it only when none of them stays, and loses no owner that does', () => {
    const anyFinding: fc.Arbitrary<OwnerFinding> = fc.record({
      reference: fc.nat(9).map((at) => ({ apiVersion: 'v1', kind: 'K', name: `o${at}`, uid: `o${at}` })),
      state: fc.constantFrom('solid', 'dangling', 'waiting'),
    });
    const anyFacts = fc.record({ hasDependents: fc.boolean(), hasWaitingDependent: fc.boolean() });
    fc.assert(
      fc.property(fc.array(anyFinding, { minLength: 1, maxLength: 4 }), anyFacts, (findings, facts) => {
        const decision = decideOrphan({ name: 'x' }, findings, facts);
        const solid = findings.filter(({ state }) => state === 'solid').map(({ reference }) => reference);
        expect(decision.kind === 'delete').to.equal(solid.length === 0);
        if (decision.kind !== 'setOwners') return;
        expect(decision.owners).to.deep.equal(solid);
        const left = solid.map((reference) => ({ reference, state: 'solid' as const }));
        expect(decideOrphan({ name: 'x' }, left, facts)).to.deep.equal({ kind: 'keep' });
      }),
    );
  });

  it('on the status of a replica set: is done once', () => {
    const anyPod = fc.record({ isReady: fc.boolean(), app: fc.constantFrom('a', 'b') }).map(
      ({ isReady, app }) =>
        ({
          metadata: { labels: { app } },
          status: {
            conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime: past }],
          },
        }) as unknown as Pod,
    );
    const problem = fc.constantFrom(undefined, { reason: 'FailedCreate' as const, message: 'm' });
    fc.assert(
      fc.property(fc.array(anyPod), problem, fc.nat(120), (pods, problem, minReadySeconds) => {
        const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [] } };
        const owner = {
          ...{ apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name: 's', generation: 3 } },
          ...{ spec: { selector: {}, template, minReadySeconds }, status: { replicas: 0 } },
        };
        const status = decideReplicaStatus(owner, pods, { problem, nowMs });
        expect(status?.availableReplicas ?? 0).to.be.most(status?.readyReplicas ?? 0);
        expect(status?.readyReplicas ?? 0).to.be.most(status?.replicas ?? 0);
        const after = { ...owner, status: status ?? owner.status };
        expect(decideReplicaStatus(after, pods, { problem, nowMs })).to.equal(undefined);
      }),
    );
  });
});
