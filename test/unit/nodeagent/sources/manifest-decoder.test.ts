import { expect } from 'chai';
import { before, describe, it } from 'mocha';
import type { Pod } from '../../../../src/apis/types/core-v1.ts';
import {
  type ManifestDecoder,
  ManifestError,
  type ManifestOrigin,
} from '../../../../src/nodeagent/sources/index.ts';
import { manifest, namesOf, nodeDecoder } from './manifests.ts';

const file: ManifestOrigin = { source: 'file', location: '/manifests/p.yaml' };
const url: ManifestOrigin = { source: 'http', location: 'http://192.0.2.1/pods' };
const nowMs = Date.UTC(2021, 0, 2, 3, 4, 5, 678);
const seen = '2021-01-02T03:04:05.678Z';

/** A manifest of one line for metadata and one for the specification. */
const podText = (metadata: string, spec: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: ${metadata}\nspec: ${spec}\n`;
const container = 'name: c, image: "localhost/busybox:1"';
const plain = `{containers: [{${container}}]}`;
const validated = (spec: string): string => podText('{name: p}', spec);

describe('ManifestDecoder', () => {
  let decoder: ManifestDecoder;
  before(async () => {
    decoder = await nodeDecoder();
  });
  const decode = (text: string, origin = file): Pod => decoder.decodePod(Buffer.from(text), origin, nowMs);
  const refusal = (act: () => unknown): ManifestError => {
    try {
      act();
    } catch (error) {
      if (error instanceof ManifestError) return error;
      throw error;
    }
    throw new Error('was not refused');
  };

  it('makes a whole static pod of a small manifest', () => {
    const pod = decode(podText('{name: web, labels: {a: b}, annotations: {example.test/x: "1"}}', plain));
    const uid = pod.metadata.uid ?? '';
    expect(uid).to.match(/^[0-9a-f]{32}$/);
    expect(pod).to.deep.equal({
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: {
        name: 'web-node1',
        namespace: 'default',
        selfLink: '/api/v1/namespaces/default/pods/web-node1',
        uid,
        creationTimestamp: null,
        labels: { a: 'b' },
        annotations: {
          'example.test/x': '1',
          'orch.io/config.hash': uid,
          'orch.io/config.seen': seen,
          'orch.io/config.source': 'file',
        },
      },
      spec: {
        containers: [
          {
            name: 'c',
            image: 'localhost/busybox:1',
            resources: {},
            terminationMessagePath: '/dev/termination-log',
            terminationMessagePolicy: 'File',
            imagePullPolicy: 'IfNotPresent',
          },
        ],
        restartPolicy: 'Always',
        terminationGracePeriodSeconds: 30,
        dnsPolicy: 'ClusterFirst',
        nodeName: 'node1',
        securityContext: {},
        schedulerName: 'default-scheduler',
        tolerations: [{ operator: 'Exists', effect: 'NoExecute' }],
        enableServiceLinks: true,
      },
      status: { phase: 'Pending' },
    });
  });

  it('takes JSON as well', () => {
    const value = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'j' }, spec: { containers: [] } };
    value.spec.containers.push({ name: 'c', image: 'i' } as never);
    expect(decode(` \n${JSON.stringify(value)}`).metadata.name).to.equal('j-node1');
  });

  it('takes nothing from a manifest that only a server says', () => {
    const metadata =
      '{name: p, deletionTimestamp: "2020-01-01T00:00:00Z", resourceVersion: "7", selfLink: /x}';
    const decoded = decode(podText(metadata, plain)).metadata;
    expect(decoded.selfLink).to.equal('/api/v1/namespaces/default/pods/p-node1');
    expect(decoded).to.have.all.keys(
      'name',
      'namespace',
      'selfLink',
      'uid',
      'creationTimestamp',
      'annotations',
    );
  });

  const accepted: readonly [about: string, text: string, path: string, expected: unknown][] = [
    ['a namespace of its own', podText('{name: p, namespace: other}', plain), 'metadata.namespace', 'other'],
    ['a uid of its own', podText('{name: p, uid: fixed-uid-1}', plain), 'metadata.uid', 'fixed-uid-1'],
    [
      'a uid of its own as the hash',
      podText('{name: p, uid: fixed-uid-1}', plain),
      'metadata.annotations.orch\\.io/config\\.hash',
      'fixed-uid-1',
    ],
    [
      'octal numbers',
      validated(
        `{volumes: [{name: v, secret: {secretName: s, defaultMode: 0400}}], containers: [{${container}}]}`,
      ),
      'spec.volumes[0].secret.defaultMode',
      256,
    ],
    [
      'its own node over another one',
      validated(`{nodeName: elsewhere, containers: [{${container}}]}`),
      'spec.nodeName',
      'node1',
    ],
    [
      'no status',
      `${manifest('p')}\nstatus: {phase: Failed, podIP: 192.0.2.9}`,
      'status',
      { phase: 'Pending' },
    ],
    [
      'fields that do not exist',
      validated(`{nonsense: 1, containers: [{${container}}]}`),
      'metadata.name',
      'p-node1',
    ],
    [
      'the first of two documents',
      `${manifest('p')}\n---\n${manifest('second')}`,
      'metadata.name',
      'p-node1',
    ],
    [
      'tolerations before the own one',
      validated(`{tolerations: [{key: x, operator: Exists}], containers: [{${container}}]}`),
      'spec.tolerations',
      [
        { key: 'x', operator: 'Exists' },
        { operator: 'Exists', effect: 'NoExecute' },
      ],
    ],
    [
      'the own toleration once',
      validated(
        `{tolerations: [{operator: Exists, effect: NoExecute, tolerationSeconds: 5}], containers: [{${container}}]}`,
      ),
      'spec.tolerations',
      [{ operator: 'Exists', effect: 'NoExecute' }],
    ],
  ];
  for (const [about, text, path, expected] of accepted) {
    it(`gives a pod ${about}`, () => {
      expect(decode(text)).to.have.deep.nested.property(path, expected);
    });
  }

  it('gives pods behind a URL no toleration', () => {
    const pod = decode(manifest('p'), url);
    expect(pod.spec.tolerations).to.equal(undefined);
    expect(pod.metadata.annotations?.['orch.io/config.source']).to.equal('http');
  });

  describe('uid', () => {
    const uidOf = (text: string, origin = file): string | undefined => decode(text, origin).metadata.uid;
    it('stays for the same content, however it is written', () => {
      const json = JSON.stringify({
        spec: { containers: [{ image: 'localhost/busybox:1', name: 'c' }] },
        metadata: { name: 'p' },
        kind: 'Pod',
        apiVersion: 'v1',
      });
      expect(uidOf(json)).to.equal(uidOf(manifest('p')));
    });
    it('is another one for another label, file, source or node', async () => {
      const labelled = podText('{name: p, labels: {a: b}}', plain);
      const other = await nodeDecoder('node2');
      const uids = [
        uidOf(manifest('p')),
        uidOf(labelled),
        uidOf(manifest('p'), { ...file, location: '/manifests/q.yaml' }),
        uidOf(manifest('p'), url),
        uidOf(manifest('p'), { source: 'submitted', location: '' }),
        other.decodePod(Buffer.from(manifest('p')), file, nowMs).metadata.uid,
      ];
      expect(new Set(uids).size).to.equal(uids.length);
    });
  });

  const invalid: readonly [about: string, text: string, reasons: string][] = [
    [
      'two containers of one name',
      validated(`{containers: [{${container}}, {${container}}]}`),
      'spec.containers[1].name: Duplicate value: "c"',
    ],
    [
      'another host port on the host network',
      validated(
        `{hostNetwork: true, containers: [{${container}, ports: [{containerPort: 80, hostPort: 81}]}]}`,
      ),
      'spec.containers[0].ports[0].containerPort: Invalid value: 80: must match `hostPort` when `hostNetwork` is true',
    ],
    [
      'a mount of an unknown volume',
      validated(`{containers: [{${container}, volumeMounts: [{name: v, mountPath: /v}]}]}`),
      'spec.containers[0].volumeMounts[0].name: Not found: "v"',
    ],
    ['no containers', validated('{containers: []}'), 'spec.containers: Required value'],
    [
      'two faults',
      validated(
        `{containers: [{${container}, ports: [{containerPort: 70000}, {containerPort: 80, hostPort: 80}, {containerPort: 81, hostPort: 80}]}]}`,
      ),
      'spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive spec.containers[0].ports[2].hostPort: Duplicate value: "TCP//80"',
    ],
    [
      'probes with no and two handlers',
      validated(
        `{containers: [{${container}, livenessProbe: {periodSeconds: 3}, readinessProbe: {exec: {command: [a]}, tcpSocket: {port: 1}}}]}`,
      ),
      'spec.containers[0].livenessProbe: Required value: must specify a handler type spec.containers[0].readinessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type',
    ],
    [
      'a request over its limit',
      validated(`{containers: [{${container}, resources: {limits: {cpu: 1}, requests: {cpu: 2}}}]}`),
      'spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit',
    ],
    [
      'shared and host processes',
      validated(`{hostPID: true, shareProcessNamespace: true, containers: [{${container}}]}`),
      'spec.securityContext.shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled',
    ],
  ];
  for (const [about, text, reasons] of invalid) {
    it(`refuses ${about}`, () => {
      const error = refusal(() => decode(text));
      expect(error.message).to.equal(`invalid pod: [${reasons}]`);
      expect(error.isDecoded).to.equal(true);
    });
  }

  const unfit: readonly [about: string, text: string, message: RegExp, isDecoded: boolean][] = [
    ['no name', podText('{}', plain), /^invalid pod: \[metadata\.name: Invalid value: "-node1": /, true],
    [
      'a probe of an init container',
      validated(
        `{initContainers: [{name: i, image: i, readinessProbe: {exec: {command: [a]}}}], containers: [{${container}}]}`,
      ),
      /^invalid pod: \[spec\.initContainers\[0\]\.readinessProbe: Invalid value: .*: must not be set for init containers\]$/,
      true,
    ],
    [
      'a uid that leaves its directory',
      podText('{name: p, uid: ../../etc}', plain),
      /^invalid pod: \[metadata\.uid: Invalid value: /,
      true,
    ],
    ['a uid of dots', podText('{name: p, uid: ".."}', plain), /metadata\.uid/, true],
    [
      'a number for a text',
      validated(`{containers: [{${container}, args: [1, 2]}]}`),
      /^v1\.Pod\.Spec: v1\.PodSpec\.Containers: .*Args: \[\]string: ReadString: expects " or n, but found 1/,
      false,
    ],
    [
      'a plain n, which is a boolean',
      validated('{containers: [{name: n, image: i}]}'),
      /Name: ReadString: expects " or n, but found f/,
      false,
    ],
    [
      'an unknown kind',
      'apiVersion: v1\nkind: Podd\n',
      /^no kind "Podd" is registered for version "v1" in scheme /,
      false,
    ],
    [
      'an unknown version',
      'apiVersion: v2\nkind: Pod\n',
      /^no kind "Pod" is registered for version "v2" in scheme /,
      false,
    ],
    ['another kind', 'apiVersion: v1\nkind: Secret\n', /^invalid pod: v1 Secret$/, false],
    ['a list', 'apiVersion: v1\nkind: PodList\nitems: []\n', /^invalid pod: v1 PodList$/, false],
    ['no kind', 'apiVersion: v1\n', /^Object 'Kind' is missing in '{"apiVersion":"v1"}'$/, false],
    ['no version', 'kind: Pod\n', /^Object 'apiVersion' is missing in /, false],
    ['nothing', '', /^Object 'Kind' is missing in 'null'$/, false],
    [
      'no object',
      '[1]',
      /^couldn't get version\/kind; json parse error: json: cannot unmarshal array/,
      false,
    ],
    ['a kind that is no text', 'kind: 1\n', /cannot unmarshal number into Go struct field \.kind/, false],
    ['tabs', 'apiVersion: v1\nkind: Pod\nmetadata:\n\tname: p\n', /^yaml: line 4: /, false],
    ['half a document', 'apiVersion: v1\nmetadata: [\n', /^yaml: line /, false],
    ['half a JSON document', '{"kind": "Pod"', /^couldn't get version\/kind; json parse error: /, false],
    ['nesting without end', `{"a":${'['.repeat(200_000)}`, /./, false],
  ];
  for (const [about, text, message, isDecoded] of unfit) {
    it(`refuses ${about}`, () => {
      const error = refusal(() => decode(text));
      expect(error.message).to.match(message);
      expect(error.isDecoded).to.equal(isDecoded);
    });
  }

  it('refuses more bytes than it reads', () => {
    const bytes = Buffer.alloc(10 * 1024 * 1024 + 1, ' ');
    expect(refusal(() => decoder.decodePod(bytes, file, nowMs)).message).to.equal(
      'the read limit is reached',
    );
  });

  describe('decodePods', () => {
    const decodeAll = (text: string): Pod[] => decoder.decodePods(Buffer.from(text), url, nowMs);
    const listOf = (...names: string[]): string => {
      const item = (name: string) => `- metadata: {name: ${name}}\n  spec: ${plain}\n`;
      return `apiVersion: v1\nkind: PodList\nitems:\n${names.map(item).join('')}`;
    };
    it('takes a list, whose items need not name their kind', () => {
      const pods = decodeAll(listOf('a', 'b'));
      expect(namesOf(pods)).to.deep.equal(['a-node1', 'b-node1']);
      expect(pods.map(({ kind, apiVersion }) => `${apiVersion} ${kind}`)).to.deep.equal(['v1 Pod', 'v1 Pod']);
    });
    it('takes one pod', () => {
      expect(namesOf(decodeAll(manifest('a')))).to.deep.equal(['a-node1']);
    });
    it('takes none of a list with one that is not valid', () => {
      const error = refusal(() => decodeAll(listOf('a', 'Bad_One')));
      expect(error.message).to.match(/^invalid pod: \[metadata\.name: Invalid value: "Bad_One-node1"/);
      expect(error.isDecoded).to.equal(true);
    });
    it('takes an empty list', () => {
      expect(decodeAll('apiVersion: v1\nkind: PodList\n')).to.deep.equal([]);
    });
  });

  describe('restorePod', () => {
    it('gives back what it made', () => {
      const pod = decode(manifest('p'));
      expect(decoder.restorePod(Buffer.from(JSON.stringify(pod)))).to.deep.equal(pod);
    });
    it('refuses a pod of another node', async () => {
      const other = await nodeDecoder('node2');
      const text = JSON.stringify(decode(manifest('p')));
      expect(refusal(() => other.restorePod(Buffer.from(text))).message).to.equal(
        'pod of another node: "node1"',
      );
    });
  });
});
