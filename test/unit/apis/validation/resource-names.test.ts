import { expect } from 'chai';
import {
  isExtendedResource,
  validateContainerResourceName,
  validateQuotaResourceName,
  validateResourceName,
  validateResourceQuantity,
} from '../../../../src/apis/validation/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { type FieldError, fieldPath } from '../../../../src/machinery/errors/index.ts';

const path = fieldPath('r');
const details = (errors: FieldError[]): string[] => errors.map((error) => error.detail);
const standard = 'must be a standard resource type or fully qualified';

describe('validateResourceName', () => {
  const cases: [string, string[]][] = [
    ['cpu', []],
    ['storage', []],
    ['hugepages-2Mi', []],
    ['requests.hugepages-2Mi', []],
    ['example.com/gpu', []],
    ['nothing', [standard]],
  ];
  for (const [name, wanted] of cases) {
    it(`${wanted.length === 0 ? 'accepts' : 'refuses'} ${name}`, () => {
      expect(details(validateResourceName(name, path))).to.deep.equal(wanted);
    });
  }
});

describe('validateContainerResourceName', () => {
  const cases: [string, string[]][] = [
    ['memory', []],
    ['hugepages-1Gi', []],
    ['example.com/gpu', []],
    ['orch.io/batch', []],
    ['pods', ['must be a standard resource for containers']],
    ['nothing', [standard, 'must be a standard resource for containers']],
    ['requests.example.com/gpu', ["doesn't follow extended resource name standard"]],
  ];
  for (const [name, wanted] of cases) {
    it(`${wanted.length === 0 ? 'accepts' : 'refuses'} ${name}`, () => {
      expect(details(validateContainerResourceName(name, path, orchDialect))).to.deep.equal(wanted);
    });
  }
});

describe('validateQuotaResourceName', () => {
  const cases: [string, string[]][] = [
    ['requests.cpu', []],
    ['count/pods', []],
    ['storage', ['must be a standard resource for quota']],
    ['nothing', [standard, 'must be a standard resource for quota']],
  ];
  for (const [name, wanted] of cases) {
    it(`${wanted.length === 0 ? 'accepts' : 'refuses'} ${name}`, () => {
      expect(details(validateQuotaResourceName(name, path))).to.deep.equal(wanted);
    });
  }
});

describe('isExtendedResource', () => {
  it('knows names with a domain of others', () => {
    const names = [
      'example.com/gpu',
      'cpu',
      'orch.io/x',
      'requests.example.com/gpu',
      `example.com/${'a'.repeat(64)}`,
    ];
    expect(names.filter((name) => isExtendedResource(name, orchDialect))).to.deep.equal(['example.com/gpu']);
  });
});

describe('validateResourceQuantity', () => {
  const cases: [string, string, string[]][] = [
    ['cpu', '100m', []],
    ['pods', '2', []],
    ['cpu', '-1', ['must be greater than or equal to 0']],
    ['example.com/gpu', '500m', ['must be an integer']],
    ['pods', '1500m', ['must be an integer']],
  ];
  for (const [resource, quantity, wanted] of cases) {
    it(`${wanted.length === 0 ? 'accepts' : 'refuses'} ${quantity} of ${resource}`, () => {
      expect(details(validateResourceQuantity({ resource, quantity }, path, orchDialect))).to.deep.equal(
        wanted,
      );
    });
  }
});
