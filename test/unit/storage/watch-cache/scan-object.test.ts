import { expect } from 'chai';
import fc from 'fast-check';
import { scanField } from '../../../../src/storage/watch-cache/scan-object.ts';

const scan = (text: string, ...path: string[]) => scanField(Buffer.from(text), path);

describe('scanField', () => {
  const pod =
    '{"kind":"Pod","metadata":{"name":"a","labels":{"spec":"{\\"nodeName\\":\\"no\\"}"},"x":[{"y":"]"}]},"spec":{"nodeName":"n1","unschedulable":true,"count":3,"none":null,"list":[1],"text":"a\\"b\\u00e9ü"},"status":{}}';
  const cases: [path: string, value: string | undefined][] = [
    ['kind', 'Pod'],
    ['metadata.name', 'a'],
    ['spec.nodeName', 'n1'],
    ['spec.unschedulable', 'true'],
    ['spec.count', '3'],
    ['spec.text', 'a"béü'],
    ['spec.none', undefined],
    ['spec.list', undefined],
    ['spec', undefined],
    ['spec.nodeNam', undefined],
    ['status.phase', undefined],
    ['kind.x', undefined],
    ['other.x', undefined],
  ];
  for (const [path, value] of cases) {
    it(`reads ${path}`, () => expect(scan(pod, ...path.split('.'))).to.equal(value));
  }

  for (const text of [
    '{ "a":"x"}',
    '{"a" :"x"}',
    '{"b":1, "a":"x"}',
    '{"b":"x',
    '{"b":[1',
    '{"b":',
    '{"b":}',
    '{"b":"x"',
  ]) {
    it(`leaves ${text} to others`, () => expect(scan(text, 'a')).to.equal(null));
  }

  it('agrees with a parser', () => {
    const name = fc.constantFrom('a', 'b', 'ab', 'c');
    const leaf = fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.boolean(), fc.constant(null));
    const inner = fc.oneof(leaf, fc.array(leaf), fc.dictionary(name, leaf));
    fc.assert(
      fc.property(
        fc.dictionary(name, fc.oneof(inner, fc.dictionary(name, inner))),
        name,
        name,
        (tree, one, two) => {
          const at = (tree[one] as Record<string, unknown> | null | undefined)?.[two];
          const isScalar = ['string', 'number', 'boolean'].includes(typeof at);
          const isObject = typeof tree[one] === 'object' && !Array.isArray(tree[one]);
          expect(scan(JSON.stringify(tree), one, two)).to.equal(
            isScalar && isObject ? String(at) : undefined,
          );
        },
      ),
      { seed: 7 },
    );
  });
});
