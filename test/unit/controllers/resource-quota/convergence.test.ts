import { expect } from 'chai';
import fc from 'fast-check';
import { evaluatorFor } from '../../../../src/apis/quota/index.ts';
import type { ResourceQuota } from '../../../../src/apis/types/core-v1.ts';
import { decideQuotaStatus, needsStatus } from '../../../../src/controllers/resource-quota/decide.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import type { ApiObject } from '../../../../src/machinery/meta/index.ts';
import { formatGroupResource, type GroupResource } from '../../../../src/machinery/schema/index.ts';
import { parseQuantity, quantityValue } from '../../../../src/machinery/values/index.ts';

const evaluatorOf = (resource: GroupResource) =>
  evaluatorFor(resource, { dialect: orchDialect, nowMs: () => 0 });

const cpu = fc.constantFrom('100m', '0.25', '1', '2');
const memory = fc.constantFrom('1Gi', '1G', '500M', '0.5Gi');
const anyPod = fc
  .record({
    requests: fc.option(fc.record({ cpu, memory }), { nil: {} }),
    phase: fc.constantFrom('Pending', 'Running', 'Succeeded', 'Failed'),
    hasDeadline: fc.boolean(),
  })
  .map(
    ({ requests, phase, hasDeadline }) =>
      ({
        metadata: {},
        spec: {
          containers: [{ name: 'c', resources: { requests } }],
          ...(hasDeadline && { activeDeadlineSeconds: 5 }),
        },
        status: { phase },
      }) as unknown as ApiObject,
  );

const names = ['pods', 'count/pods', 'requests.cpu', 'requests.memory', 'secrets', 'count/nothing.here'];
const anyAmounts = fc.dictionary(fc.constantFrom(...names), fc.constantFrom('0', '1', '1000m', '3', '5Gi'));
const anyStatus = fc.record({ hard: anyAmounts, used: anyAmounts }, { requiredKeys: [] });
const anyScopes = fc.subarray(['Terminating', 'NotTerminating', 'NotBestEffort']);
type Quota = Pick<ResourceQuota, 'spec' | 'status'>;
const anyQuota = fc
  .record({ hard: anyAmounts, scopes: anyScopes, status: anyStatus })
  .map(
    ({ hard, scopes, status }): Quota => ({ spec: { hard, ...(scopes.length > 0 && { scopes }) }, status }),
  );

/** In thousandths. */
const milli = (text: string | undefined): number => Number(quantityValue(parseQuantity(text ?? '0'), -3));

describe('the status of any quota', () => {
  it('is written once, names what is bounded only, and is the same in any order of objects', () => {
    fc.assert(
      fc.property(anyQuota, fc.array(anyPod), fc.boolean(), (quota, pods, arePodsKnown) => {
        const sources = (list: readonly ApiObject[]) => ({
          evaluatorOf,
          objectsOf: (resource: GroupResource) => {
            if (formatGroupResource(resource) !== 'pods') return [];
            return arePodsKnown ? list : undefined;
          },
        });
        const { spec } = quota;
        const status = decideQuotaStatus(quota, sources(pods)) ?? quota.status;
        const after = { spec, status };
        expect(decideQuotaStatus(after, sources(pods))).to.equal(undefined);
        expect(decideQuotaStatus(after, sources(pods.toReversed()))).to.equal(undefined);
        const bounded = Object.keys(spec.hard ?? {});
        for (const name of Object.keys(status.used ?? {})) expect(bounded).to.include(name);
        for (const name of bounded) expect(milli(status.hard?.[name])).to.equal(milli(spec.hard?.[name]));
        if (!arePodsKnown) {
          for (const name of ['pods', 'requests.cpu'])
            if (bounded.includes(name))
              expect(milli(status.used?.[name])).to.equal(milli(quota.status.used?.[name]));
        } else if (!bounded.includes('count/nothing.here')) expect(needsStatus(after)).to.equal(false);
      }),
    );
  });

  it('is what the objects in its scopes use together', () => {
    fc.assert(
      fc.property(anyQuota, fc.array(anyPod), fc.array(anyPod), ({ spec }, some, others) => {
        const usedBy = (pods: readonly ApiObject[]) =>
          decideQuotaStatus({ spec, status: {} }, { evaluatorOf, objectsOf: () => pods })?.used;
        const [of, more, all] = [usedBy(some), usedBy(others), usedBy([...some, ...others])];
        for (const name of Object.keys(all ?? {}))
          expect(milli(all?.[name]), name).to.equal(milli(of?.[name]) + milli(more?.[name]));
        const hasEnded = ({ status }: ApiObject & { status?: { phase?: string } }): boolean =>
          status?.phase === 'Succeeded' || status?.phase === 'Failed';
        const running = [...some, ...others].filter((pod) => !hasEnded(pod)).length;
        expect(milli(all?.pods)).to.be.most(running * 1000);
      }),
    );
  });
});
