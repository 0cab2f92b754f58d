import { expect } from 'chai';
import {
  createResourceTable,
  parseRuntimeConfig,
  RuntimeConfigError,
} from '../../../../src/apis/resources/index.ts';
import { orchDialect as dialect } from '../../../../src/machinery/dialect.ts';

const tableWith = (text: string) => createResourceTable({ dialect, runtimeConfig: parseRuntimeConfig(text) });
const group = 'admissionregistration.orch.io';
const key = `${group}/v1/validatingadmissionpolicies`;
const policiesOf = (text: string): string[] =>
  tableWith(text)
    .inVersion(group, 'v1')
    .map(({ resource }) => resource)
    .filter((resource) => resource.includes('polic'));

describe('resources of later releases', () => {
  it('are not served unless they are named', () => {
    for (const text of ['', 'api/all', 'api/ga=true', `${key}=false`, `${group}/v1=true`]) {
      expect(policiesOf(text), text).to.deep.equal([]);
      expect([...tableWith(text).later], text).to.deep.equal([]);
    }
  });

  it('are served with what belongs to them when they are', () => {
    for (const text of [key, `${key}=true`, `${key}=1`]) {
      expect(policiesOf(text), text).to.deep.equal([
        'validatingadmissionpolicies',
        'validatingadmissionpolicybindings',
      ]);
    }
  });

  it('are not served without their version', () => {
    expect(policiesOf(`${key},${group}/v1=false`)).to.deep.equal([]);
  });

  it('know rules of schemas by a key', () => {
    const rules = 'apiextensions.orch.io/v1/validationrules';
    expect([...tableWith(rules).later]).to.deep.equal([rules]);
  });

  it('refuse a value that is no truth', () => {
    expect(() => tableWith(`${key}=maybe`)).to.throw(RuntimeConfigError, `invalid value of ${key}: maybe`);
  });
});
