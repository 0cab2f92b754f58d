import { expect } from 'chai';
import { approvalOf, validateApprovalAnnotation } from '../../../../src/apis/apiextensions/approval.ts';
import type { CustomResourceDefinition } from '../../../../src/apis/types/apiextensions-v1beta1.ts';
import { createDialect, type Dialect, orchDialect } from '../../../../src/machinery/dialect.ts';
import { makeContext, makeObject } from '../rule-fixture.ts';

const kind = 'apiextensions.orch.io/v1beta1.CustomResourceDefinition';
const other = createDialect('kubernetes');

function definitionOf(group: string, annotations: Record<string, string> = {}): CustomResourceDefinition {
  const fields = { metadata: { annotations }, spec: { group, names: { plural: 'a' }, scope: 'Namespaced' } };
  // The fixture makes an object of the kind that it is told.
  return makeObject(kind, fields) as unknown as CustomResourceDefinition;
}

const dialects: readonly (readonly [Dialect, own: readonly string[], foreign: readonly string[]])[] = [
  [orchDialect, ['orch.io', 'a.orch.io'], ['aorch.io', 'orch.io.example.com']],
  [other, ['k8s.io', 'a.k8s.io', 'kubernetes.io', 'a.b.kubernetes.io'], ['ak8s.io', 'a.orch.io']],
];

describe('approvalOf', () => {
  for (const [dialect, own, foreign] of dialects) {
    it(`asks for approval of groups in the domains of the dialect ${dialect.name} only`, () => {
      for (const group of own)
        expect(approvalOf(definitionOf(group), dialect)?.status, group).to.equal('False');
      for (const group of foreign)
        expect(approvalOf(definitionOf(group), dialect), group).to.equal(undefined);
    });
  }

  it('takes a URL as approval, and a text that begins with unapproved as none', () => {
    const reasonOf = (note: string) =>
      approvalOf(definitionOf('a.k8s.io', { 'api-approved.kubernetes.io': note }), other)?.reason;
    expect(reasonOf('https://example.com/1')).to.equal('ApprovedAnnotation');
    expect(reasonOf('unapproved, a trial')).to.equal('UnapprovedAnnotation');
    expect(reasonOf('yes')).to.equal('InvalidAnnotation');
    expect(reasonOf('')).to.equal('MissingAnnotation');
  });
});

describe('validateApprovalAnnotation', () => {
  const errorsOf = (note: string): string[] => {
    const definition = definitionOf('a.orch.io', { 'api-approved.orch.io': note });
    const context = makeContext({ requestApiVersion: 'apiextensions.orch.io/v1' });
    return validateApprovalAnnotation(definition, undefined, context).map(String);
  };
  const path = 'metadata.annotations[api-approved.orch.io]';
  const needed = 'protected groups must have approval annotation "api-approved.orch.io"';
  const page = 'see https://github.com/orch/enhancements/pull/1111';

  it('says of a missing annotation which one it is, and where to read of it', () => {
    expect(errorsOf('')).to.deep.equal([`${path}: Required value: ${needed}, ${page}`]);
  });

  it('says of a wrong annotation what it can be', () => {
    const how = 'with either a URL or a reason starting with "unapproved"';
    expect(errorsOf('yes')).to.deep.equal([`${path}: Invalid value: "yes": ${needed} ${how}, ${page}`]);
    expect(errorsOf('unapproved')).to.deep.equal([]);
  });
});
