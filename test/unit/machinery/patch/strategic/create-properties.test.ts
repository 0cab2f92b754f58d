import { expect } from 'chai';
import fc from 'fast-check';
import { createTypeCatalog } from '../../../../../src/apis/catalog.ts';
import { isJsonObject, type JsonObject } from '../../../../../src/base/index.ts';
import { orchDialect } from '../../../../../src/machinery/dialect.ts';
import { PatchError } from '../../../../../src/machinery/patch/index.ts';
import {
  applyStrategicMergePatch,
  createStrategicMergePatch,
  createThreeWayStrategicPatch,
  PatchConflictError,
} from '../../../../../src/machinery/patch/strategic/index.ts';

const catalog = createTypeCatalog(orchDialect);
const podType = catalog.type('v1.Pod');
const apply = (current: JsonObject, patch: JsonObject): JsonObject =>
  applyStrategicMergePatch(current, patch, podType, catalog);
const diff = (from: JsonObject, to: JsonObject): JsonObject =>
  createStrategicMergePatch(from, to, podType, catalog);

/** Text with sorted members: `__proto__` counts too, which deep comparison of objects overlooks. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))
      : member,
  );

const word = fc.constantFrom('a', 'b', 'c', 'd', '__proto__', 'toString');
const someOf = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<JsonObject> =>
  fc.record(fields, { requiredKeys: [] });
const itemsOf = (
  key: string,
  keys: fc.Arbitrary<unknown>,
  item: fc.Arbitrary<JsonObject>,
): fc.Arbitrary<JsonObject[]> =>
  fc
    .uniqueArray(fc.tuple(keys, item), { maxLength: 4, selector: ([value]) => value })
    .map((pairs) => pairs.map(([value, rest]) => ({ ...rest, [key]: value })));
/** Unions: exactly one member. */
const source = fc.oneof(
  fc.record({ emptyDir: someOf({ medium: word }) }),
  fc.record({ hostPath: fc.record({ path: word }) }),
);
const container = someOf({
  image: word,
  args: fc.array(word, { maxLength: 2 }),
  env: itemsOf('name', word, someOf({ value: word })),
  ports: itemsOf(
    'containerPort',
    fc.constantFrom(80, 443, 8080),
    someOf({ name: word, hostPort: fc.nat(2) }),
  ),
});
/** Pods as servers keep them: no nulls, keys of lists unique. */
const pod = someOf({
  metadata: someOf({
    finalizers: fc.uniqueArray(word, { maxLength: 4 }),
    labels: fc.dictionary(word, word, { maxKeys: 3 }),
  }),
  spec: someOf({
    containers: itemsOf('name', word, container),
    volumes: itemsOf('name', word, source),
    hostname: word,
    nodeSelector: fc.dictionary(word, word, { maxKeys: 2 }),
    tolerations: fc.array(someOf({ key: word }), { maxLength: 2 }),
  }),
});

/** Anything, with names that mean something to the type or to patches. */
const { hostile } = fc.letrec<{ hostile: JsonObject; value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, 0, 'a', 'delete', 'replace', true),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('hostile'),
  ),
  hostile: fc.dictionary(
    fc.constantFrom(
      ...['spec', 'metadata', 'containers', 'finalizers', 'volumes', 'env', 'name', '__proto__', '$patch'],
      ...[
        '$retainKeys',
        '$setElementOrder/containers',
        '$deleteFromPrimitiveList/finalizers',
        '$setElementOrder',
      ],
    ),
    tie('value'),
    { maxKeys: 4 },
  ),
}));

/**
 * True when `result` has everything that `wanted` asks for: members and items in between are others'. Lists that merge
 * are those of strings and those of maps with a name or port; here that is all but `args` and `tolerations`.
 */
function contains(result: unknown, wanted: unknown, field = ''): boolean {
  if (isJsonObject(wanted)) {
    return (
      isJsonObject(result) &&
      Object.entries(wanted).every(
        ([key, value]) => Object.hasOwn(result, key) && contains(result[key], value, key),
      )
    );
  }
  if (!Array.isArray(wanted) || field === 'args' || field === 'tolerations') {
    return canonical(result) === canonical(wanted);
  }
  const identity = (item: unknown): unknown =>
    isJsonObject(item) ? (field === 'ports' ? item.containerPort : item.name) : item;
  if (!Array.isArray(result)) return false;
  const places = wanted.map((item) => result.findIndex((found) => identity(found) === identity(item)));
  return (
    places.every((place, at) => place >= 0 && (at === 0 || place > (places[at - 1] ?? 0))) &&
    wanted.every((item, at) => contains(result[places[at] ?? -1], item))
  );
}

describe('createStrategicMergePatch, for any two pods', () => {
  it('makes a patch that leads from one to the other', () => {
    fc.assert(
      fc.property(pod, pod, (from, to) => {
        expect(canonical(apply(from, diff(from, to)))).to.equal(canonical(to));
      }),
    );
  });

  it('makes a patch that changes nothing the second time', () => {
    fc.assert(
      fc.property(pod, pod, (from, to) => {
        const patch = diff(from, to);
        const once = apply(from, patch);
        expect(canonical(apply(once, patch))).to.equal(canonical(once));
      }),
    );
  });

  it('makes the empty patch for the same pod, and only for it', () => {
    fc.assert(
      fc.property(pod, pod, (from, to) => {
        expect(diff(from, structuredClone(from))).to.deep.equal({});
        const isEmpty = Object.keys(diff(from, to)).length === 0;
        expect(isEmpty).to.equal(canonical(from) === canonical(to));
      }),
    );
  });

  it('changes neither', () => {
    fc.assert(
      fc.property(pod, pod, pod, (original, modified, current) => {
        const before = canonical([original, modified, current]);
        diff(original, modified);
        createThreeWayStrategicPatch({ original, modified, current }, podType, catalog);
        expect(canonical([original, modified, current])).to.equal(before);
      }),
    );
  });
});

describe('createThreeWayStrategicPatch, for any pods', () => {
  const make = (original: JsonObject, modified: JsonObject, current: JsonObject): JsonObject =>
    createThreeWayStrategicPatch({ original, modified, current }, podType, catalog);

  it('brings about everything that is wanted, in its order', () => {
    fc.assert(
      fc.property(pod, pod, pod, (original, modified, current) => {
        const result = apply(current, make(original, modified, current));
        expect(contains(result, modified)).to.equal(true);
      }),
    );
  });

  it('is the two-way patch when nobody else changed the object', () => {
    fc.assert(
      fc.property(pod, pod, (original, modified) => {
        expect(canonical(apply(original, make(original, modified, original)))).to.equal(canonical(modified));
      }),
    );
  });

  it('leaves alone what others added', () => {
    fc.assert(
      fc.property(pod, pod, word, word, (original, modified, name, value) => {
        const theirs = {
          metadata: { annotations: { [name]: value } },
          spec: { containers: [{ name: 'theirs', image: value }], nodeName: value },
        };
        const current = apply(original, theirs);
        const result = apply(current, make(original, modified, current));
        // A file that no longer has the list or its parent removes all of it; that is what null means there.
        const kept = { metadata: 'metadata' in modified, spec: 'spec' in modified };
        if (kept.metadata || !('metadata' in original)) {
          expect(contains(result.metadata, theirs.metadata)).to.equal(true);
        }
        if (kept.spec || !('spec' in original)) {
          const { containers: before } = (original.spec ?? {}) as JsonObject;
          const { containers: after } = (modified.spec ?? {}) as JsonObject;
          const wanted = before === undefined || after !== undefined ? theirs.spec : { nodeName: value };
          expect(contains(result.spec, wanted)).to.equal(true);
        }
      }),
    );
  });

  it('has nothing to do once its patch is applied', () => {
    fc.assert(
      fc.property(pod, pod, pod, (original, modified, theirs) => {
        const current = apply(original, theirs);
        const live = apply(current, make(original, modified, current));
        const again = apply(live, make(modified, modified, live));
        expect(canonical(again)).to.equal(canonical(live));
      }),
    );
  });

  it('has no conflict where nobody else changed the object', () => {
    fc.assert(
      fc.property(pod, pod, (original, modified) => {
        const states = { original, modified, current: original };
        const careful = createThreeWayStrategicPatch(states, podType, catalog, { overwrites: false });
        expect(canonical(careful)).to.equal(canonical(make(original, modified, original)));
      }),
    );
  });

  it('has a conflict exactly where a label is wanted otherwise than others made it', () => {
    const label = fc.constantFrom('1', '2', '3');
    fc.assert(
      fc.property(label, label, label, (was, wanted, is) => {
        const labelled = (value: string): JsonObject => ({ metadata: { labels: { a: value } } });
        const states = { original: labelled(was), modified: labelled(wanted), current: labelled(is) };
        const attempt = () => createThreeWayStrategicPatch(states, podType, catalog, { overwrites: false });
        if (is !== was && is !== wanted) expect(attempt).to.throw(PatchConflictError, 'metadata.labels.a');
        else expect(attempt).not.to.throw();
      }),
    );
  });
});

describe('making patches of any JSON', () => {
  it('fails with a patch error or not at all', () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, fc.boolean(), (original, modified, current, overwrites) => {
        try {
          diff(original, modified);
          createThreeWayStrategicPatch({ original, modified, current }, podType, catalog, { overwrites });
        } catch (error) {
          if (!(error instanceof PatchError) && !(error instanceof PatchConflictError)) throw error;
        }
        expect(({} as JsonObject).name).to.equal(undefined);
      }),
      { numRuns: 300 },
    );
  });
});
