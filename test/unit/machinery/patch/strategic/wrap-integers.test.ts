import { expect } from 'chai';
import { createTypeCatalog } from '../../../../../src/apis/catalog.ts';
import { rawNumber } from '../../../../../src/base/index.ts';
import { orchDialect } from '../../../../../src/machinery/dialect.ts';
import { wrapIntegers } from '../../../../../src/machinery/patch/strategic/index.ts';

const catalog = createTypeCatalog(orchDialect);
const wrap = (typeName: string, value: unknown): unknown =>
  wrapIntegers(value, catalog.type(typeName), catalog);

describe('wrapIntegers', () => {
  const cases: [given: unknown, wanted: unknown][] = [
    [2 ** 31, -(2 ** 31)],
    [2 ** 32 + 7, 7],
    [-(2 ** 31) - 1, 2 ** 31 - 1],
    [rawNumber('9223372036854775807'), -1],
    [rawNumber('9223372036854775808'), 0],
    [1e300, 0],
  ];
  for (const [given, wanted] of cases) {
    it(`cuts ${JSON.stringify(given)} to 32 bits`, () => {
      expect(wrap('apps/v1.DeploymentSpec', { replicas: given })).to.deep.equal({ replicas: wanted });
    });
  }

  it('takes the smallest integer of 64 bits for what has more', () => {
    const wrapped = (given: unknown) => wrap('apps/v1.DeploymentStatus', { observedGeneration: given });
    const smallest = { observedGeneration: rawNumber('-9223372036854775808') };
    for (const given of [1e20, -1e300, rawNumber('9223372036854775808')])
      expect(wrapped(given)).to.deep.equal(smallest);
    const largest = { observedGeneration: rawNumber('9223372036854775807') };
    expect(wrapped(largest.observedGeneration)).to.deep.equal(largest);
  });

  it('finds them in lists, maps and objects', () => {
    const ports = (containerPort: number) => ({ spec: { containers: [{ ports: [{ containerPort }] }] } });
    expect(wrap('v1.Pod', ports(2 ** 32 + 80))).to.deep.equal(ports(80));
  });

  it('leaves alone what fits, what has 64 bits, and what is refused anyway', () => {
    const fitting = [
      {
        spec: {
          terminationGracePeriodSeconds: 2 ** 40,
          containers: [{ name: 'a', ports: [{ containerPort: 80 }] }],
        },
      },
      {
        spec: {
          containers: [
            { ports: [{ containerPort: 1.5 }, { containerPort: 'x' }, { containerPort: '80' }, null] },
          ],
        },
      },
      { spec: 'x', metadata: { labels: { a: 'b' } } },
    ];
    for (const value of fitting) expect(wrap('v1.Pod', value)).to.equal(value);
  });
});
