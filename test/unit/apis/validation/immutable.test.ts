import { expect } from 'chai';
import { createTypeCatalog } from '../../../../src/apis/catalog.ts';
import { renderGo, validateImmutableField } from '../../../../src/apis/validation/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { fieldPath } from '../../../../src/machinery/errors/index.ts';

describe('validateImmutableField', () => {
  const path = fieldPath('spec', 'x');
  const cases: [unknown, unknown, string][] = [
    ['b', 'a', '"b"'],
    [2, 1, '2'],
    [undefined, 1, '"null"'],
    [['b'], ['a'], '[]string{"b"}'],
    [[], ['a'], '[]string(nil)'],
  ];
  for (const [value, old, shown] of cases) {
    it(`shows ${shown}`, () => {
      expect(validateImmutableField(value, old, path).map(String)).to.deep.equal([
        `spec.x: Invalid value: ${shown}: field is immutable`,
      ]);
    });
  }

  it('accepts what means the same, without rendering it', () => {
    const refuse = (): never => {
      throw new Error('nothing to show');
    };
    expect(validateImmutableField([], undefined, path, refuse)).to.deep.equal([]);
  });
});

describe('renderGo', () => {
  const catalog = createTypeCatalog(orchDialect);
  const cases: [string, unknown, string][] = [
    [
      'meta.orch.io/v1.LabelSelector',
      { matchLabels: { b: 'y', a: 'x' } },
      'v1.LabelSelector{MatchLabels:map[string]string{"a":"x", "b":"y"}, MatchExpressions:[]v1.LabelSelectorRequirement(nil)}',
    ],
    [
      'rbac.authorization.orch.io/v1.RoleRef',
      { apiGroup: 'g', kind: 'Role', name: 'x' },
      'rbac.RoleRef{APIGroup:"g", Kind:"Role", Name:"x"}',
    ],
    ['list<networking.orch.io/v1.IngressRule>', undefined, '[]networking.IngressRule(nil)'],
    [
      'list<v1.LocalObjectReference>',
      [{ name: 'a' }],
      '[]core.LocalObjectReference{core.LocalObjectReference{Name:"a"}}',
    ],
    ['intstr.IntOrString', '50%', 'intstr.IntOrString{Type:1, IntVal:0, StrVal:"50%"}'],
    [
      'v1.Toleration',
      { key: 'k', operator: 'Exists' },
      'core.Toleration{Key:"k", Operator:"Exists", Value:"", Effect:"", TolerationSeconds:(*int64)(nil)}',
    ],
    ['map<string,bytes>', { k: 'AQ==' }, 'map[string][]uint8{"k":[]uint8{0x1}}'],
  ];
  for (const [type, value, wanted] of cases) {
    it(`renders ${type}`, () => expect(renderGo(value, type, catalog).text).to.equal(wanted));
  }

  it('ends for types that contain themselves', () => {
    let schema: Record<string, unknown> = {};
    for (let depth = 0; depth < 50; depth++) schema = { allOf: [schema] };
    const text = renderGo(schema, 'apiextensions.orch.io/v1.JSONSchemaProps', catalog).text;
    expect(text).to.match(/^apiextensions\.JSONSchemaProps\{/);
  });
});
