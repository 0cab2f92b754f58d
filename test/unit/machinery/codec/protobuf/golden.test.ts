import { expect } from 'chai';
import {
  createProtobufCompiler,
  decodeEnvelope,
  encodeEnvelope,
} from '../../../../../src/machinery/codec/protobuf/index.ts';
import { catalog } from './random-object.ts';

const compiler = createProtobufCompiler(catalog);

/** Bytes out of lines of hexadecimal digits with remarks behind them. */
function hex(...lines: readonly string[]): Buffer {
  return Buffer.from(lines.map((line) => line.replace(/\/\/.*/, '').replaceAll(' ', '')).join(''), 'hex');
}

/** Metadata of an object that has a name only. */
const metadata = [
  '0a 13', // metadata
  '0a 01 61', // name: a
  '12 00 1a 00 22 00 2a 00 32 00', // generateName to resourceVersion: empty
  '38 00', // generation: 0
  '42 00', // creationTimestamp: the zero time
  '7a 00', // clusterName: empty
];

interface Golden {
  readonly kind: string;
  readonly object: Record<string, unknown>;
  readonly bytes: Buffer;
}

const goldens: readonly Golden[] = [
  {
    kind: 'ConfigMap',
    object: {
      metadata: { name: 'a' },
      data: { k: 'v', 'a.b': '' },
      binaryData: { x: 'AP8=' },
      immutable: false,
    },
    bytes: hex(
      ...metadata,
      '12 07 0a 03 61 2e 62 12 00', // data: a.b before k
      '12 06 0a 01 6b 12 01 76',
      '1a 07 0a 01 78 12 02 00 ff', // binaryData
      '20 00', // immutable: given, so written though it is false
    ),
  },
  {
    kind: 'Secret',
    object: { metadata: { name: 'a' }, data: { p: 'c2VjcmV0', q: '' }, type: 'Opaque' },
    bytes: hex(
      ...metadata,
      '12 0b 0a 01 70 12 06 73 65 63 72 65 74', // data: plain bytes, not base64
      '12 05 0a 01 71 12 00',
      '1a 06 4f 70 61 71 75 65', // type
    ),
  },
  {
    kind: 'Pod',
    object: {
      metadata: { name: 'a', creationTimestamp: '2020-01-01T00:00:00Z', labels: { x: 'y' } },
      spec: {
        containers: [{ name: 'c', ports: [{ containerPort: 80 }], resources: { limits: { cpu: '100m' } } }],
        terminationGracePeriodSeconds: 30,
        volumes: [{ name: 'v', emptyDir: {} }],
      },
    },
    bytes: hex(
      '0a 23', // metadata
      '0a 01 61 12 00 1a 00 22 00 2a 00 32 00 38 00',
      '42 08 08 80 c2 af f0 05 10 00', // creationTimestamp: seconds, and nanoseconds that are always 0
      '5a 06 0a 01 78 12 01 79', // labels
      '7a 00',
      '12 5f', // spec
      '0a 09 0a 01 76 12 04 12 02 0a 00', // volumes: name, source { emptyDir { medium } }
      '12 34', // containers
      '0a 01 63 12 00 2a 00', // name, image, workingDir
      '32 0a 0a 00 10 00 18 50 22 00 2a 00', // ports: name, hostPort, containerPort, protocol, hostIP
      '42 0f 0a 0d 0a 03 63 70 75 12 06 0a 04 31 30 30 6d', // resources: limits, a map to quantities
      '6a 00 72 00', // terminationMessagePath, imagePullPolicy
      '80 01 00 88 01 00 90 01 00', // stdin, stdinOnce, tty
      'a2 01 00', // terminationMessagePolicy
      '1a 00', // restartPolicy
      '20 1e', // terminationGracePeriodSeconds
      '32 00 42 00 4a 00 52 00', // dnsPolicy, serviceAccountName, serviceAccount, nodeName
      '58 00 60 00 68 00', // hostNetwork, hostPID, hostIPC
      '82 01 00 8a 01 00 9a 01 00 c2 01 00', // hostname, subdomain, schedulerName, priorityClassName
      '1a 0e 0a 00 1a 00 22 00 2a 00 32 00 4a 00 5a 00', // status: empty texts
    ),
  },
  {
    kind: 'Status',
    object: {
      metadata: {},
      status: 'Failure',
      message: 'm',
      reason: 'NotFound',
      details: { name: 'n', kind: 'pods' },
      code: 404,
    },
    bytes: hex(
      '0a 06 0a 00 12 00 1a 00', // metadata: selfLink, resourceVersion, continue
      '12 07 46 61 69 6c 75 72 65', // status
      '1a 01 6d', // message
      '22 08 4e 6f 74 46 6f 75 6e 64', // reason
      '2a 0f 0a 01 6e 12 00 1a 04 70 6f 64 73 28 00 32 00', // details
      '30 94 03', // code
    ),
  },
];

describe('bytes written by hand', () => {
  for (const { kind, object, bytes } of goldens) {
    const message = compiler.kind({ group: '', version: 'v1', kind });

    it(`are what a ${kind} is written as`, () => {
      expect(message.encode(object).toString('hex')).to.equal(bytes.toString('hex'));
    });

    it(`are read as a ${kind} in canonical form`, () => {
      const canonical = catalog.type(message.name).decode({ kind, apiVersion: 'v1', ...object });
      const read = message.decode(bytes, { apiVersion: 'v1', kind });
      expect(JSON.stringify(read)).to.equal(JSON.stringify(canonical));
    });
  }

  it('are wrapped in an envelope with kind, version and two empty texts', () => {
    const framed = compiler.type('v1.Node').encodeFramed({});
    const head = hex('6b 38 73 00', '0a 0a 0a 02 76 31 12 04 4e 6f 64 65', '12');
    const envelope = encodeEnvelope({ apiVersion: 'v1', kind: 'Node' }, framed);
    expect(envelope.subarray(0, head.length)).to.deep.equal(head);
    expect(envelope.subarray(-4)).to.deep.equal(hex('1a 00 22 00'));
    const { raw, ...rest } = decodeEnvelope(envelope);
    expect(raw).to.deep.equal(compiler.type('v1.Node').encode({}));
    expect(rest).to.deep.equal({ apiVersion: 'v1', kind: 'Node', contentEncoding: '', contentType: '' });
  });
});

describe('values with a form of their own', () => {
  const table: readonly (readonly [string, string, Record<string, unknown>, string])[] = [
    // IntOrString: type, number, text; a probe's port.
    ['port by number', 'v1.TCPSocketAction', { port: 80, host: 'h' }, '0a 06 08 00 10 50 1a 00 12 01 68'],
    ['port by name', 'v1.TCPSocketAction', { port: 'x', host: '' }, '0a 07 08 01 10 00 1a 01 78 12 00'],
    [
      'negative number',
      'v1.Toleration',
      { tolerationSeconds: -1 },
      '0a 00 12 00 1a 00 22 00 28 ff ff ff ff ff ff ff ff ff 01',
    ],
    [
      'unset audience list',
      'authentication.orch.io/v1.UserInfo',
      { extra: { a: ['b'] } },
      '0a 00 12 00 22 08 0a 01 61 12 03 0a 01 62',
    ],
    [
      'microseconds',
      'coordination.orch.io/v1.LeaseSpec',
      { renewTime: '1970-01-01T00:00:01.000002Z' },
      '22 05 08 01 10 d0 0f',
    ],
    [
      'before 1970',
      'v1.PodCondition',
      { type: '', status: '', lastProbeTime: '1969-12-31T23:59:59Z' },
      '0a 00 12 00 1a 0d 08 ff ff ff ff ff ff ff ff ff 01 10 00 22 00 2a 00 32 00',
    ],
    ['list of numbers', 'v1.PodSecurityContext', { supplementalGroups: [1, 300] }, '20 01 20 ac 02'],
  ];
  for (const [what, type, object, expected] of table) {
    it(`are written exactly: ${what}`, () => {
      expect(compiler.type(type).encode(object)).to.deep.equal(hex(expected));
    });
  }
});
