import { expect } from 'chai';
import fc from 'fast-check';
import { createTypeCatalog } from '../../../../src/apis/catalog.ts';
import { createApplySchemaCompiler } from '../../../../src/machinery/apply/index.ts';
import { compareTyped, isSame } from '../../../../src/machinery/apply/typed/compare.ts';
import { TypedError } from '../../../../src/machinery/apply/typed/list-items.ts';
import { validateTyped } from '../../../../src/machinery/apply/typed/validate.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';

const catalog = createTypeCatalog(orchDialect);
const { root } = createApplySchemaCompiler(catalog).compile(catalog.type('v1.Pod'));

/** Few names, so that many lists have an item twice, or one without its key. */
const name = fc.constantFrom('a', 'b', 'c', undefined);
const port = fc.record({
  containerPort: fc.constantFrom(1, 2),
  protocol: fc.constantFrom('TCP', 'UDP', undefined),
});
const few = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 3 });
const container = fc.record({
  name,
  env: few(fc.record({ name, value: fc.constantFrom('x', 'y') })),
  ports: few(port),
  args: few(fc.constantFrom('x', 'x')),
});
const pod = fc.record({
  metadata: fc.record({ finalizers: few(fc.constantFrom('a', 'b', 'c', 'd')) }),
  spec: fc.record({ containers: few(container), tolerations: few(fc.record({ key: name })) }),
});

const failureOf = (run: () => unknown): boolean => {
  try {
    run();
    return false;
  } catch (error) {
    if (error instanceof TypedError) return true;
    throw error;
  }
};

describe('compareTyped of equal lists', () => {
  it('finds no difference, and items that cannot be told apart as before', () => {
    let failures = 0;
    fc.assert(
      fc.property(pod, (object) => {
        // Names that are undefined are none.
        const [left, right] = [JSON.parse(JSON.stringify(object)), JSON.parse(JSON.stringify(object))];
        const isRefused = failureOf(() => validateTyped(root, left));
        expect(failureOf(() => compareTyped(root, left, right))).to.equal(isRefused);
        if (isRefused) failures++;
        else expect(isSame(compareTyped(root, left, right))).to.equal(true);
      }),
      { numRuns: 500 },
    );
    expect(failures).to.be.greaterThan(50);
  });

  it('looks at items of long lists too', () => {
    const items = Array.from({ length: 20 }, (_, index) => ({ name: `c${index}` }));
    const object = { spec: { containers: items } };
    expect(isSame(compareTyped(root, object, structuredClone(object)))).to.equal(true);
    const twice = { spec: { containers: [...items, { name: 'c0' }] } };
    expect(() => compareTyped(root, twice, structuredClone(twice))).to.throw(TypedError);
  });
});
