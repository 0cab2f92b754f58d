import { expect } from 'chai';
import fc from 'fast-check';
import { createTypeCatalog } from '../../../../../src/apis/catalog.ts';
import type { JsonObject } from '../../../../../src/base/index.ts';
import { orchDialect } from '../../../../../src/machinery/dialect.ts';
import { applyMergePatch, PatchError } from '../../../../../src/machinery/patch/index.ts';
import { applyStrategicMergePatch } from '../../../../../src/machinery/patch/strategic/index.ts';

const catalog = createTypeCatalog(orchDialect);
const podType = catalog.type('v1.Pod');
const apply = (current: unknown, patch: JsonObject): JsonObject =>
  applyStrategicMergePatch(current, patch, podType, catalog);

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
/** Item lists have distinct names, as stored objects do. */
const itemsOf = (item: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject[]> =>
  fc
    .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), item), {
      maxLength: 4,
      selector: ([key]) => key,
    })
    .map((pairs) => pairs.map(([name, rest]) => ({ ...rest, name })));
const environment = itemsOf(someOf({ value: word }));
const containers = itemsOf(someOf({ image: word, args: fc.array(word, { maxLength: 2 }), env: environment }));
const finalizers = fc.uniqueArray(word, { maxLength: 4 });
/** Pods, and patches without directives or nulls. */
const pod = someOf({
  metadata: someOf({ finalizers, labels: fc.dictionary(word, word, { maxKeys: 3 }) }),
  spec: someOf({
    containers,
    hostname: word,
    tolerations: fc.array(someOf({ key: word }), { maxLength: 2 }),
  }),
});
const directives = fc.record(
  {
    $patch: fc.constantFrom('delete', 'replace', 'merge'),
    $retainKeys: fc.constantFrom(['name'], ['containers', 'hostname'], 'x'),
    '$setElementOrder/containers': containers,
    '$deleteFromPrimitiveList/finalizers': finalizers,
  },
  { requiredKeys: [] },
);
const patchWithDirectives = fc.tuple(pod, directives, directives).map(([base, inSpec, inMetadata]) => ({
  ...base,
  spec: { ...(base.spec as JsonObject | undefined), ...inSpec },
  metadata: { ...(base.metadata as JsonObject | undefined), ...inMetadata },
}));
const textsOf = fc.dictionary(word, word, { maxKeys: 3 });
const numberOrText = fc.oneof(fc.integer({ min: 0, max: 3 }), word);
const document = someOf({
  metadata: someOf({ name: word, labels: textsOf, annotations: textsOf }),
  spec: someOf({
    hostname: numberOrText,
    nodeSelector: textsOf,
    securityContext: someOf({ runAsUser: numberOrText, seLinuxOptions: someOf({ level: word, role: word }) }),
  }),
});

describe('applyStrategicMergePatch, for any pod', () => {
  it('changes neither argument, whatever the directives', () => {
    fc.assert(
      fc.property(pod, patchWithDirectives, (current, patch) => {
        const before = canonical([current, patch]);
        try {
          apply(current, patch);
        } catch (error) {
          if (!(error instanceof PatchError)) throw error;
        }
        expect(canonical([current, patch])).to.equal(before);
      }),
    );
  });

  it('gives the same when applied twice', () => {
    fc.assert(
      fc.property(pod, pod, (current, patch) => {
        const once = apply(current, patch);
        expect(canonical(apply(once, patch))).to.equal(canonical(once));
      }),
    );
  });

  it('has every item of both lists once, those of the patch in its order', () => {
    fc.assert(
      fc.property(containers, containers, (live, patch) => {
        const result = apply({ spec: { containers: live } }, { spec: { containers: patch } });
        const keys = (list: readonly unknown[]): unknown[] => (list as JsonObject[]).map(({ name }) => name);
        // The patch names the list, so the result has it.
        const merged = keys((result.spec as JsonObject).containers as unknown[]);
        const fromPatch = new Set(keys(patch));
        expect(merged).to.have.members([...new Set([...keys(live), ...fromPatch])]);
        expect(merged.filter((key) => fromPatch.has(key))).to.deep.equal([...fromPatch]);
        expect(merged.filter((key) => !fromPatch.has(key))).to.deep.equal(
          keys(live).filter((key) => !fromPatch.has(key)),
        );
      }),
    );
  });

  it('is a merge patch where there are no lists', () => {
    fc.assert(
      fc.property(document, document, (current, patch) => {
        expect(canonical(apply(current, patch))).to.equal(canonical(applyMergePatch(current, patch)));
      }),
    );
  });

  it('does not reach prototypes', () => {
    const patch = JSON.parse(
      '{"__proto__":{"polluted":1},"metadata":{"labels":{"__proto__":"x"},"constructor":{"prototype":{"polluted":1}}}}',
    );
    const current = JSON.parse('{"metadata":{"labels":{}}}');
    expect(JSON.stringify(apply(current, patch))).to.equal(
      '{"metadata":{"labels":{"__proto__":"x"},"constructor":{"prototype":{"polluted":1}}},"__proto__":{"polluted":1}}',
    );
    expect(({} as JsonObject).polluted).to.equal(undefined);
  });
});
