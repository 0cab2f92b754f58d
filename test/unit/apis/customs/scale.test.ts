import { expect } from 'chai';
import { AccessError, customScale, setReplicas } from '../../../../src/apis/customs/index.ts';
import { validateScaleSpec, validateScaleStatus } from '../../../../src/apis/customs/scale.ts';
import { rawNumber } from '../../../../src/base/index.ts';

const paths = {
  specReplicasPath: '.spec.n',
  statusReplicasPath: '.status.n',
  labelSelectorPath: '.status.s',
};
const object = (more: object) => ({ kind: 'W', apiVersion: 'a/v1', metadata: { name: 'w' }, ...more });

describe('scales by paths', () => {
  it('read what is there', () => {
    const { spec, status } = customScale(object({ spec: { n: 3 }, status: { n: 2, s: 'a=b' } }), paths);
    expect([spec, status]).to.deep.equal([{ replicas: 3 }, { replicas: 2, selector: 'a=b' }]);
    expect(customScale(object({}), paths).spec.replicas).to.equal(undefined);
  });

  it('write replicas, making what is on the way', () => {
    const empty = object({});
    setReplicas(empty, '.spec.deep.n', 4);
    expect(empty).to.deep.include({ spec: { deep: { n: 4 } } });
    expect(() => setReplicas(object({ spec: 1 }), '.spec.n', 4)).to.throw(
      AccessError,
      'value cannot be set because .spec is not a map[string]interface{}',
    );
  });

  const other = (text: string) =>
    `.spec.n: Invalid value: 0: .spec.n accessor error: ${text}, expected int64`;
  const faults: readonly [unknown, string][] = [
    [-1, '.spec.n: Invalid value: -1: should be a non-negative integer'],
    [2 ** 31, '.spec.n: Invalid value: 2147483648: should be less than or equal to 2147483647'],
    [
      rawNumber('9223372036854775807'),
      '.spec.n: Invalid value: 9223372036854775807: should be less than or equal to 2147483647',
    ],
    [1e20, other('1e+20 is of the type float64')],
    ['x', other('x is of the type string')],
    [1.5, other('1.5 is of the type float64')],
    [{}, other('map[] is of the type map[string]interface {}')],
    [null, other('<nil> is of the type <nil>')],
  ];
  for (const [value, message] of faults) {
    it(`refuse ${JSON.stringify(value)}`, () => {
      expect(validateScaleSpec({ spec: { n: value } }, paths).map(String)).to.deep.equal([message]);
    });
  }

  it('name the whole way to what stands where an object should be', () => {
    expect(validateScaleSpec({ spec: 1 }, paths).map(String)).to.deep.equal([
      other('1 is of the type int64').replace(
        'int64, expected int64',
        'int64, expected map[string]interface{}',
      ),
    ]);
  });

  it('look at the selector too', () => {
    expect(validateScaleStatus({ status: { n: 0, s: 5 } }, paths).map(String)).to.deep.equal([
      '.status.s: Invalid value: "": .status.s accessor error: 5 is of the type int64, expected string',
    ]);
    expect(validateScaleStatus({}, undefined)).to.deep.equal([]);
  });
});
