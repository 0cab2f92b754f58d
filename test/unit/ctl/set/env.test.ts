import { expect } from 'chai';
import {
  changeEnv,
  describeSource,
  fieldValue,
  parseEnv,
  variablesFrom,
} from '../../../../src/ctl/set/env-changes.ts';

const spec = {
  containers: [
    {
      name: 'web',
      env: [
        { name: 'A', value: '1' },
        { name: 'B', value: '2' },
      ],
    },
    { name: 'log' },
  ],
};
const all = { containers: '*', overwrites: true };

describe('environment variables', () => {
  it('are set, replaced in their places, and taken away', () => {
    expect(changeEnv(spec, parseEnv(['C=3', 'B=b=c', 'A-']), all)).to.deep.equal({
      spec: {
        containers: [
          {
            name: 'web',
            env: [
              { name: 'B', value: 'b=c' },
              { name: 'C', value: '3' },
            ],
          },
          {
            name: 'log',
            env: [
              { name: 'C', value: '3' },
              { name: 'B', value: 'b=c' },
            ],
          },
        ],
      },
      isFound: true,
    });
  });

  it('change in the containers that are meant only', () => {
    const { spec: changed } = changeEnv(spec, parseEnv(['A-', 'B-']), { ...all, containers: 'w*' });
    expect(changed).to.deep.equal({ containers: [{ name: 'web' }, { name: 'log' }] });
    expect(changeEnv(spec, parseEnv(['A=2']), { ...all, containers: 'no' })).to.deep.equal({
      spec,
      isFound: false,
    });
  });

  it('are not overwritten when they must not be', () => {
    const keep = { ...all, overwrites: false };
    expect(() => changeEnv(spec, parseEnv(['A=2']), keep)).to.throw(
      "'A' already has a value (1), and --overwrite is false",
    );
    expect(changeEnv(spec, parseEnv(['C=2']), keep).isFound).to.equal(true);
  });

  for (const text of ['bad', 'a.b=1', '=2', 'A B=2', '-', '']) {
    it(`cannot be ${JSON.stringify(text)}`, () => {
      expect(() => parseEnv([text])).to.throw('environment variables must be of the form key=value');
    });
  }

  it('cannot be set and taken away at once', () => {
    expect(() => parseEnv(['A=1', 'A-'])).to.throw('can not both modify and remove');
  });

  it('are made from keys', () => {
    expect(variablesFrom({ kind: 'secretKeyRef', name: 's', keys: ['k-1', 'b.c'] }, 'P_')).to.deep.equal([
      { name: 'P_B_C', valueFrom: { secretKeyRef: { name: 's', key: 'b.c' } } },
      { name: 'P_K_1', valueFrom: { secretKeyRef: { name: 's', key: 'k-1' } } },
    ]);
  });

  for (const [from, text] of [
    [{ configMapKeyRef: { name: 'c', key: 'k' } }, 'configmap c, key k'],
    [{ secretKeyRef: { name: 's', key: 'k' } }, 'secret s, key k'],
    [{ fieldRef: { fieldPath: 'metadata.name' } }, 'field path metadata.name'],
    [{ resourceFieldRef: { containerName: 'c', resource: 'limits.cpu' } }, 'resource field c/limits.cpu'],
    [{}, 'invalid valueFrom'],
  ] as const) {
    it(`come from ${text}`, () => {
      expect(describeSource(from)).to.equal(text);
    });
  }

  it('take fields of the object', () => {
    const object = { metadata: { name: 'web', labels: { 'a/b': 'c' } } };
    expect(fieldValue(object, 'metadata.name')).to.equal('web');
    expect(fieldValue(object, "metadata.labels['a/b']")).to.equal('c');
    expect(fieldValue(object, 'status.podIP')).to.equal(undefined);
  });
});
