import { expect } from 'chai';
import fc from 'fast-check';
import type { Endpoints, Pod, Service } from '../../../../src/apis/types/core-v1.ts';
import { decideEndpoints, endpointNames } from '../../../../src/controllers/endpoints/decide.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';

const names = endpointNames(orchDialect);

const anyService = fc
  .record({
    clusterIP: fc.constantFrom('None', '10.0.0.1'),
    publishNotReadyAddresses: fc.boolean(),
    ports: fc.uniqueArray(fc.constantFrom('http', 8080, 9090), { maxLength: 3 }),
    labels: fc.dictionary(fc.constantFrom('a', 'b', names.headless), fc.constant('x')),
  })
  .map(
    ({ clusterIP, publishNotReadyAddresses, ports, labels }) =>
      ({
        metadata: { name: 'web', namespace: 'n', labels },
        spec: {
          ...{ clusterIP, publishNotReadyAddresses, selector: { app: 'a' } },
          ports: ports.map((targetPort) => ({
            name: `p${targetPort}`,
            port: 80,
            targetPort,
            protocol: 'TCP',
          })),
        },
      }) as unknown as Service,
  );

const anyPods = fc
  .array(
    fc.record({
      address: fc.integer({ min: 0, max: 9 }),
      isReady: fc.boolean(),
      isGoing: fc.boolean(),
      phase: fc.constantFrom('Pending', 'Running', 'Succeeded', 'Failed'),
      restartPolicy: fc.constantFrom('Always', 'OnFailure', 'Never'),
      httpPort: fc.constantFrom(81, 82),
      resourceVersion: fc.constantFrom('1', '2'),
    }),
    { maxLength: 8 },
  )
  .map((parts) =>
    parts.map(
      ({ address, isReady, isGoing, phase, restartPolicy, httpPort, resourceVersion }, at) =>
        ({
          metadata: {
            ...{ name: `p${at}`, namespace: 'n', uid: `p${at}`, resourceVersion },
            ...(isGoing && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
          },
          spec: {
            restartPolicy,
            containers: [{ ports: [{ name: 'http', containerPort: httpPort, protocol: 'TCP' }] }],
          },
          status: {
            ...(address > 0 && { podIP: `10.1.0.${address}` }),
            phase,
            conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }],
          },
        }) as unknown as Pod,
    ),
  );

const addressesOf = (endpoints: Endpoints | undefined) =>
  (endpoints?.subsets ?? []).flatMap(({ addresses = [], notReadyAddresses = [] }) => [
    ...addresses.map((address) => ({ address, isReady: true })),
    ...notReadyAddresses.map((address) => ({ address, isReady: false })),
  ]);

describe('the endpoints of any service', () => {
  it('are written once, have each pod once in a set, and none that is not there or not ready', () => {
    fc.assert(
      fc.property(anyService, anyPods, anyPods, (service, earlier, pods) => {
        const current = decideEndpoints(service, earlier, { current: undefined, names });
        const next = decideEndpoints(service, pods, { current, names }) ?? current;
        expect(decideEndpoints(service, pods, { current: next, names })).to.equal(undefined);
        const inOtherOrder = [...pods].reverse();
        expect(decideEndpoints(service, inOtherOrder, { current: next, names })).to.equal(undefined);
        const all = addressesOf(next);
        for (const { addresses = [], notReadyAddresses = [] } of next?.subsets ?? []) {
          const uids = [...addresses, ...notReadyAddresses].map(({ targetRef }) => targetRef?.uid);
          expect(new Set(uids).size).to.equal(uids.length);
        }
        for (const { address, isReady } of all) {
          const pod = pods.find(({ metadata }) => metadata.uid === address.targetRef?.uid);
          expect(address.ip).to.equal(pod?.status.podIP);
          if (service.spec.publishNotReadyAddresses) continue;
          expect(pod?.metadata.deletionTimestamp).to.equal(undefined);
          expect(pod?.status.conditions?.[0]?.status).to.equal(isReady ? 'True' : 'False');
        }
      }),
    );
  });
});
