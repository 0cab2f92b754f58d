import { expect } from 'chai';
import { validateSysctlLists } from '../../../../src/apis/policy/sysctl-patterns.ts';
import { type FieldError, fieldPath } from '../../../../src/machinery/errors/index.ts';

const cases: readonly (readonly [allowed: string[], forbidden: string[], errors: readonly string[]])[] = [
  [['a.b'], ['a.c'], []],
  [['a.b'], ['a.b'], ['allowedUnsafeSysctls[0]: Invalid value: "a.b": sysctl overlaps with a.b']],
  [['a.b'], ['a.*'], ['allowedUnsafeSysctls[0]: Invalid value: "a.b": sysctl overlaps with a.*']],
  [['a.*'], ['x', 'a.b'], ['forbiddenSysctls[1]: Invalid value: "a.b": sysctl overlaps with a.*']],
  [['a.*'], ['a.b.*'], ['forbiddenSysctls[0]: Invalid value: "a.b.*": sysctl overlaps with a.*']],
  [['a.b.*'], ['a.*'], ['allowedUnsafeSysctls[0]: Invalid value: "a.b.*": sysctl overlaps with a.*']],
  [['a.b*'], ['a.c*'], []],
  [
    ['*', 'a'],
    [],
    ["allowedUnsafeSysctls.items: Forbidden: if '*' is present, must not specify other sysctls"],
  ],
  [[], ['*'], []],
  [[], ['', 'a'], ['forbiddenSysctls[0]: Invalid value: "": empty sysctl not allowed']],
];

describe('validateSysctlLists', () => {
  for (const [allowedUnsafeSysctls, forbiddenSysctls, texts] of cases) {
    it(`judges ${allowedUnsafeSysctls} allowed and ${forbiddenSysctls} forbidden`, () => {
      const errors: FieldError[] = [];
      const rule = { rule: 'RunAsAny' };
      const groups = { runAsUser: rule, seLinux: rule, supplementalGroups: rule, fsGroup: rule };
      validateSysctlLists(errors, { ...groups, allowedUnsafeSysctls, forbiddenSysctls }, fieldPath());
      expect(errors.map((error) => String(error).replace(/^\.?/, ''))).to.deep.equal(texts);
    });
  }
});
