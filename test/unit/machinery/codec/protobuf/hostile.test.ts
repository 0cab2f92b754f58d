import { expect } from 'chai';
import {
  createProtobufCompiler,
  decodeEnvelope,
  decodeWatchEvent,
  ProtobufError,
  type ProtobufMessage,
} from '../../../../../src/machinery/codec/protobuf/index.ts';
import { catalog, randomObject } from './random-object.ts';

const compiler = createProtobufCompiler(catalog);
const pod = compiler.type('v1.Pod');
const customResource = 'apiextensions.orch.io/v1.CustomResourceDefinition';

function errorOf(run: () => unknown): ProtobufError {
  try {
    run();
  } catch (error) {
    if (error instanceof ProtobufError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

const bytesOf = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('decode of bad bytes', () => {
  const table: readonly (readonly [string, string, string, string])[] = [
    ['a name that is a number', '0a 02 08 01', 'proto: wrong wireType = 0 for field Name', 'metadata.name'],
    ['a container that ends early', '12 04 12 02 0a 05', 'unexpected EOF', 'spec.containers[0]'],
    ['a length beyond the bytes', '12 ff ff ff ff 07', 'unexpected EOF', ''],
    ['a negative length', '12 ff ff ff ff ff ff ff ff ff 01', 'negative length', ''],
    ['metadata that is a number', '08 01', 'proto: wrong wireType = 0 for field ObjectMeta', 'metadata'],
    [
      'labels that are a number',
      '0a 02 58 01',
      'proto: wrong wireType = 0 for field Labels',
      'metadata.labels',
    ],
    [
      'a key that is a number, which is taken for a length',
      '0a 04 5a 02 08 01',
      'unexpected EOF',
      'metadata.labels',
    ],
    [
      'an amount that is none',
      '12 10 12 0e 42 0c 0a 0a 0a 01 63 12 05 0a 03 62 61 64',
      'quantities must match',
      'spec.containers[0].resources.limits[c]',
    ],
    [
      'a year without form',
      '0a 0c 42 0a 08 ff ff ff ff ff ff ff ff 7f',
      'outside of range',
      'metadata.creationTimestamp',
    ],
  ];
  for (const [what, bytes, message, path] of table) {
    it(`names the place of ${what}`, () => {
      const error = errorOf(() => pod.decode(bytesOf(bytes)));
      expect(error.message).to.contain(message);
      expect(error.path).to.equal(path);
    });
  }
});

describe('decode of unusual bytes', () => {
  it('takes fields that are no JSON as a text, which owners do not have', () => {
    expect(pod.decode(bytesOf('0a 0a 8a 01 07 3a 05 0a 03 7b 7b 7b'))).to.have.nested.property(
      'metadata.managedFields[0].fieldsV1',
      '{{{',
    );
  });

  it('merges parts of a message that is repeated; the last of other values wins', () => {
    const read = pod.decode(bytesOf('0a 03 0a 01 61 0a 06 0a 01 62 1a 01 6e 12 02 52 00 12 03 52 01 6e'));
    expect(read).to.have.nested.property('metadata.name', 'b');
    expect(read).to.have.nested.property('metadata.namespace', 'n');
    expect(read).to.have.nested.property('spec.nodeName', 'n');
  });

  it('takes lists of numbers packed, maps unsorted and entries in any order', () => {
    const security = compiler.type('v1.PodSecurityContext').decode(bytesOf('22 03 01 ac 02 20 05'));
    expect(security.supplementalGroups).to.deep.equal([1, 300, 5]);
    const map = compiler
      .type('v1.ConfigMap')
      .decode(bytesOf('12 06 0a 01 62 12 01 31 12 06 12 01 32 0a 01 61 12 00'));
    expect(JSON.stringify(map.data)).to.equal('{"":"","a":"2","b":"1"}');
  });

  it('keeps whole 64-bit numbers and drops what does not fit in 32 bits', () => {
    const meta = compiler.type('meta.orch.io/v1.ObjectMeta').decode(bytesOf('38 ff ff ff ff ff ff ff ff 7f'));
    expect(JSON.stringify(meta)).to.contain('"generation":9223372036854775807');
    const port = compiler.type('v1.ContainerPort').decode(bytesOf('18 81 80 80 80 10'));
    expect(port.containerPort).to.equal(1);
  });

  it('treats __proto__ as an ordinary key', () => {
    const { data } = compiler
      .type('v1.ConfigMap')
      .decode(bytesOf(`12 0e 0a 09 ${Buffer.from('__proto__').toString('hex')} 12 01 78`));
    expect(JSON.stringify(data)).to.equal('{"__proto__":"x"}');
    expect(Object.getPrototypeOf(data)).to.equal(Object.prototype);
  });
});

/** A schema in a schema in a schema: bytes from the inside out. */
function nestedSchema(levels: number): Buffer {
  const parts: Buffer[] = [];
  let size = 0;
  for (let level = 0; level < levels; level++) {
    const header: number[] = [];
    let rest = size;
    for (; rest > 127; rest >>>= 7) header.push((rest & 127) | 128);
    // Field 28 of a schema is `not`.
    parts.push(Buffer.from([0xe2, 0x01, ...header, rest]));
    size += header.length + 3;
  }
  return Buffer.concat(parts.reverse());
}

describe('limits', () => {
  const schema = compiler.type('apiextensions.orch.io/v1.JSONSchemaProps');

  it('reads what is nested as deep as is allowed, and writes it again', () => {
    const deep = schema.decode(nestedSchema(499));
    expect(schema.decode(schema.encode(deep))).to.deep.equal(deep);
  });

  for (const levels of [500, 10_000, 300_000]) {
    it(`refuses ${levels} nested messages at once`, () => {
      expect(errorOf(() => schema.decode(nestedSchema(levels))).message).to.contain('max depth');
    });
  }

  it('follows groups in groups without recursion', () => {
    const groups = Buffer.concat([Buffer.alloc(500_000, 0x03), Buffer.alloc(500_000, 0x04)]);
    expect(decodeEnvelope(Buffer.concat([bytesOf('6b 38 73 00 7b'), groups, bytesOf('7c')])).kind).to.equal(
      '',
    );
  });
});

/** Cases per run; `FUZZ_CASES=1000000` for a long one. */
const cases = Number(process.env.FUZZ_CASES ?? 120_000);

/** Numbers from 0 up to an end, the same ones in every run. */
function makeDice(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * end);
  };
}

function mutate(bytes: Buffer, dice: (end: number) => number): Buffer {
  const copy = Buffer.from(bytes);
  for (let count = 1 + dice(4); count > 0; count--) {
    const at = dice(copy.length);
    const way = dice(4);
    if (way === 0) copy[at] = dice(256);
    else if (way === 1) copy[at] = (copy[at] ?? 0) ^ (1 << dice(8));
    else if (way === 2) copy.copyWithin(at, dice(copy.length), copy.length);
    else return copy.subarray(0, at);
  }
  return copy;
}

interface Target {
  readonly message: ProtobufMessage;
  readonly seeds: readonly Buffer[];
}

const targets: readonly Target[] = [
  'v1.Pod',
  'v1.ConfigMap',
  'v1.Service',
  'apps/v1.Deployment',
  customResource,
  'authorization.orch.io/v1.SubjectAccessReview',
].map((type) => {
  const message = compiler.type(type);
  const seeds = Array.from({ length: 60 }, (_, seed) => message.encode(randomObject(type, seed)));
  // The small ones: a change then hits structure more often than text.
  seeds.sort((a, b) => a.length - b.length);
  return { message, seeds: seeds.slice(0, 12) };
});

describe(`decode of ${cases} mutated messages`, () => {
  it('gives an object that can be written again, or a ProtobufError; nothing else', () => {
    const dice = makeDice(20);
    let readable = 0;
    for (let index = 0; index < cases; index++) {
      const { message, seeds } = targets[index % targets.length] as Target;
      const bytes =
        index % 10 === 0
          ? Buffer.from(Array.from({ length: dice(60) }, () => dice(256)))
          : mutate(seeds[dice(seeds.length)] as Buffer, dice);
      let read: Record<string, unknown>;
      try {
        read = message.decode(bytes);
      } catch (error) {
        if (error instanceof ProtobufError) continue;
        throw new Error(`${message.name}: ${bytes.toString('hex')}`, { cause: error });
      }
      readable++;
      if (readable % 8 !== 0) continue;
      const again = message.decode(message.encode(read));
      if (JSON.stringify(again) !== JSON.stringify(read)) {
        throw new Error(`${message.name} changes when written again: ${bytes.toString('hex')}`);
      }
    }
    expect(readable).to.be.greaterThan(cases / 20);
  }).timeout(20_000 + cases);

  it('holds for envelopes and events too', () => {
    const dice = makeDice(7);
    const valid = bytesOf('6b 38 73 00 0a 09 0a 02 76 31 12 03 50 6f 64 12 02 0a 00 1a 00 22 00');
    for (let index = 0; index < 20_000; index++) {
      const bytes = mutate(valid, dice);
      for (const read of [decodeEnvelope, decodeWatchEvent]) {
        try {
          read(bytes);
        } catch (error) {
          if (!(error instanceof ProtobufError)) throw error;
        }
      }
    }
  });
});
