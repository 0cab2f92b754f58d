import { expect } from 'chai';
import type { Endpoints, Pod, Service } from '../../../../src/apis/types/core-v1.ts';
import { decideEndpoints, endpointNames } from '../../../../src/controllers/endpoints/decide.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';

const names = endpointNames(orchDialect);
const service = (spec: object = {}, metadata: object = {}) =>
  ({
    metadata: { name: 'web', namespace: 'n', labels: { tier: 'front' }, ...metadata },
    spec: {
      selector: { app: 'a' },
      clusterIP: '10.0.0.1',
      ports: [{ port: 80, targetPort: 8080, protocol: 'TCP' }],
      ...spec,
    },
  }) as unknown as Service;

interface PodParts {
  readonly ip?: string;
  readonly isReady?: boolean;
  readonly phase?: string;
  readonly metadata?: object;
  readonly spec?: object;
}

const pod = (
  name: string,
  { ip = '10.1.0.1', isReady = true, phase = 'Running', metadata, spec }: PodParts = {},
) =>
  ({
    metadata: { name, namespace: 'n', uid: name, resourceVersion: '7', ...metadata },
    spec: { nodeName: 'node', restartPolicy: 'Always', containers: [], ...spec },
    status: { podIP: ip, phase, conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
  }) as unknown as Pod;
const named = (name: string, containerPort: number, protocol = 'TCP') => ({
  containers: [{ ports: [{ name, containerPort, protocol }] }],
});

/** Addresses and ports in short: `ready|not ready:ports`. */
const show = (endpoints: Endpoints | undefined): string[] =>
  (endpoints?.subsets ?? []).map(({ addresses, notReadyAddresses, ports }) => {
    const ready = (addresses ?? []).map(({ targetRef }) => targetRef?.name);
    const notReady = (notReadyAddresses ?? []).map(({ targetRef }) => targetRef?.name);
    const offered = (ports ?? []).map(({ name = '', port, protocol }) => `${name}${port}${protocol}`);
    return `${ready}|${notReady}:${offered}`;
  });
const decide = (of: Service, pods: Pod[], current?: Endpoints) =>
  decideEndpoints(of, pods, { current, names });

describe('the endpoints of a service', () => {
  const deletionTimestamp = '2026-01-01T00:00:00Z';
  const cases: [string, Service, Pod[], string[]][] = [
    ['are its pods, ready or not', service(), [pod('b', { isReady: false }), pod('a')], ['a|b:8080TCP']],
    ['are none without an address', service(), [pod('a', { ip: '' })], []],
    ['are none that are going', service(), [pod('a', { metadata: { deletionTimestamp } })], []],
    [
      'are none that have ended for good',
      service(),
      [
        pod('a', { isReady: false, phase: 'Failed', spec: { restartPolicy: 'Never' } }),
        pod('b', { isReady: false, phase: 'Succeeded', spec: { restartPolicy: 'OnFailure' } }),
        pod('c', { isReady: false, phase: 'Failed', spec: { restartPolicy: 'OnFailure' } }),
      ],
      ['|c:8080TCP'],
    ],
    [
      'are all of them when it says so',
      service({ publishNotReadyAddresses: true }),
      [pod('a', { isReady: false }), pod('b', { metadata: { deletionTimestamp } })],
      ['a,b|:8080TCP'],
    ],
    [
      'are all of them by the older annotation, which wins',
      service({ publishNotReadyAddresses: true }, { annotations: { [names.tolerateUnready]: 'false' } }),
      [pod('a', { isReady: false })],
      ['|a:8080TCP'],
    ],
    [
      'have the ports that names stand for in each pod, of the same protocol',
      service({ ports: [{ name: 'p', port: 80, targetPort: 'http', protocol: 'TCP' }] }),
      [
        pod('a', { spec: named('http', 81) }),
        pod('b', { spec: named('http', 82) }),
        pod('c', { spec: named('http', 83, 'UDP') }),
      ],
      ['b|:p82TCP', 'a|:p81TCP'],
    ],
    [
      'are together where they offer the same ports, whatever else they offer',
      service({
        ports: [
          { name: 'p', port: 80, targetPort: 'http', protocol: 'TCP' },
          { name: 'q', port: 90, protocol: 'TCP' },
          { name: 'r', port: 91, protocol: 'TCP' },
        ],
      }),
      [pod('a', { spec: named('http', 81) }), pod('b', { spec: named('http', 82), ip: '10.1.0.2' })],
      ['a,b|:r91TCP,q90TCP', 'b|:p82TCP', 'a|:p81TCP'],
    ],
    [
      'have the port of the service when none is named',
      service({ ports: [{ port: 80, protocol: 'TCP' }] }),
      [pod('a')],
      ['a|:80TCP'],
    ],
    [
      'need no ports when it is headless',
      service({ clusterIP: 'None', ports: undefined }),
      [pod('a')],
      ['a|:'],
    ],
    ['need ports otherwise', service({ ports: undefined }), [pod('a')], []],
  ];
  for (const [what, of, pods, expected] of cases) {
    it(what, () => {
      expect(show(decide(of, pods))).to.deep.equal(expected);
    });
  }

  it('are left alone without a selector', () => {
    expect(decide(service({ selector: undefined }), [pod('a')])).to.equal(undefined);
  });

  it('have its labels, and one that tells whether it has an address', () => {
    expect(decide(service(), [])?.metadata.labels).to.deep.equal({ tier: 'front' });
    expect(decide(service({ clusterIP: 'None' }), [])?.metadata.labels).to.deep.equal({
      tier: 'front',
      [names.headless]: '',
    });
  });

  it('name the pod, its node, and its own name below the service', () => {
    const spec = { hostname: 'h', subdomain: 'web' };
    const [subset] =
      decide(service(), [pod('a', { spec }), pod('b', { ip: '10.1.0.2', spec: { ...spec, subdomain: 'x' } })])
        ?.subsets ?? [];
    const targetRef = { kind: 'Pod', namespace: 'n', resourceVersion: '7' };
    expect(subset?.addresses).to.deep.equal([
      { ip: '10.1.0.1', hostname: 'h', nodeName: 'node', targetRef: { ...targetRef, name: 'a', uid: 'a' } },
      { ip: '10.1.0.2', nodeName: 'node', targetRef: { ...targetRef, name: 'b', uid: 'b' } },
    ]);
  });

  it('have the address of the first family of the service, where pods have several', () => {
    const both = pod('a', { ip: '10.1.0.1' });
    Object.assign(both.status, { podIPs: [{ ip: '10.1.0.1' }, { ip: 'fd00::1' }] });
    const ipOf = (ipFamilies: string[]) =>
      decide(service({ ipFamilies }), [both])?.subsets?.[0]?.addresses?.[0]?.ip;
    expect([ipOf(['IPv4', 'IPv6']), ipOf(['IPv6'])]).to.deep.equal(['10.1.0.1', 'fd00::1']);
  });

  it('stay when they are right, though pods come in another order', () => {
    const pods = [pod('a'), pod('b', { ip: '10.1.0.2', isReady: false })];
    const current = decide(service(), pods);
    const changed = pod('b', { ip: '10.1.0.2', isReady: false, metadata: { resourceVersion: '9' } });
    expect(current).to.not.equal(undefined);
    expect(decide(service(), [...pods].reverse(), current)).to.equal(undefined);
    expect(decide(service(), [pod('a'), changed], current), 'of another version').to.not.equal(undefined);
    expect(decide(service({ clusterIP: undefined }), pods, current), 'without an address').to.equal(
      undefined,
    );
    expect(decide(service(), [pod('a')], current)).to.not.equal(undefined);
  });
});
