import { expect } from 'chai';
import { create, update } from '../rule-fixture.ts';

const kind = 'admissionregistration.orch.io/v1.ValidatingAdmissionPolicy';
const bindingKind = 'admissionregistration.orch.io/v1.ValidatingAdmissionPolicyBinding';

const rule = { operations: ['CREATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] };
const spec = {
  matchConstraints: { resourceRules: [rule] },
  validations: [{ expression: 'object.spec.replicas <= 5' }],
};

type Fields = Record<string, unknown>;
const errorsOf = (changes: Fields): string[] => create(kind, { spec: { ...spec, ...changes } }).errors;

describe('admissionPolicyRules', () => {
  const right: readonly Fields[] = [
    {},
    {
      validations: [],
      auditAnnotations: [{ key: 'high', valueExpression: '"replicas: " + string(object.spec.replicas)' }],
    },
    {
      validations: [
        {
          expression: 'variables.few && params.max > 1',
          messageExpression: '"max is " + string(params.max)',
          reason: 'Forbidden',
        },
      ],
      variables: [
        { name: 'count', expression: 'object.spec.replicas' },
        { name: 'few', expression: 'variables.count < 3' },
      ],
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
    },
    {
      matchConditions: [
        {
          name: 'users',
          expression: 'request.userInfo.username != "system:admin" && !("dev" in request.userInfo.groups)',
        },
      ],
    },
  ];
  for (const changes of right) {
    it(`takes ${JSON.stringify(changes)}`, () => expect(errorsOf(changes)).to.deep.equal([]));
  }

  const wrong: ReadonlyArray<readonly [changes: Fields, errors: readonly string[]]> = [
    [
      { validations: [] },
      ['spec.validations: Required value: validations or auditAnnotations must contain at least one item'],
    ],
    [{ matchConstraints: undefined }, ['spec.matchConstraints: Required value']],
    [{ matchConstraints: {} }, ['spec.matchConstraints.resourceRules: Required value']],
    [
      { failurePolicy: 'Maybe' },
      ['spec.failurePolicy: Unsupported value: "Maybe": supported values: "Fail", "Ignore"'],
    ],
    [
      { validations: [{ expression: 'object.spec.replicas' }] },
      ['spec.validations[0].expression: Invalid value: "object.spec.replicas": must evaluate to bool'],
    ],
    [
      { validations: [{ expression: 'object.spec.replicas < size(1)' }] },
      [
        "spec.validations[0].expression: Invalid value: \"object.spec.replicas < size(1)\": compilation failed: ERROR: <input>:1:24: found no matching overload for 'size' applied to '(int)'\n | object.spec.replicas < size(1)\n | .......................^",
      ],
    ],
    [
      { validations: [{ expression: 'params.x == 1' }] },
      [
        "spec.validations[0].expression: Invalid value: \"params.x == 1\": compilation failed: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')\n | params.x == 1\n | ^",
      ],
    ],
    [
      { validations: [{ expression: 'request.operatio == "x"' }] },
      [
        'spec.validations[0].expression: Invalid value: "request.operatio == \\"x\\"": compilation failed: ERROR: <input>:1:8: undefined field \'operatio\'\n | request.operatio == "x"\n | .......^',
      ],
    ],
    [
      {
        variables: [
          { name: 'a', expression: 'variables.b' },
          { name: 'b', expression: '1' },
        ],
      },
      [
        'spec.variables[0].expression: Invalid value: "variables.b": compilation failed: ERROR: <input>:1:10: undefined field \'b\'\n | variables.b\n | .........^',
      ],
    ],
    [
      { validations: [{ expression: 'true', messageExpression: '1', reason: 'Odd', message: 'a\nb' }] },
      [
        'spec.validations[0].message: Invalid value: "a\\nb": message must not contain line breaks',
        'spec.validations[0].reason: Unsupported value: "Odd": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge", "Unauthorized"',
        'spec.validations[0].messageExpression: Invalid value: "1": must evaluate to string',
      ],
    ],
    [
      { validations: [{ expression: '' }] },
      ['spec.validations[0].expression: Required value: expression is not specified'],
    ],
    [
      { validations: [{ expression: 'true ||\nfalse' }] },
      [
        'spec.validations[0].message: Required value: message must be specified if expression contains line breaks',
      ],
    ],
    [
      {
        matchConditions: [
          { name: 'a', expression: 'true' },
          { name: 'a', expression: 'true' },
        ],
      },
      ['spec.matchConditions[1].name: Duplicate value: "a"'],
    ],
    [{ paramKind: { apiVersion: 'v1' } }, ['spec.paramKind.kind: Required value']],
    [
      {
        validations: Array.from({ length: 9 }, () => ({ expression: `true || "${'x'.repeat(4000)}" == ""` })),
      },
      ['spec: Forbidden: expressions must have at most 32768 letters together'],
    ],
  ];
  for (const [changes, errors] of wrong) {
    it(`refuses ${JSON.stringify(changes).slice(0, 120)}`, () =>
      expect(errorsOf(changes)).to.deep.equal(errors));
  }

  it('tells what is wrong with expressions about the kinds that rules name', () => {
    const kindOf = (apiVersion: string, resource: string) =>
      apiVersion === 'apps/v1' && resource === 'deployments' ? 'Deployment' : undefined;
    const validations = [
      { expression: 'object.spec.replicas > 1 && object.spec.replica > 1' },
      { expression: 'object.spec.template.spec.containers.all(c, c.image.startsWith("a"))' },
    ];
    const { object, errors } = create(kind, { spec: { ...spec, validations } }, { kindOf });
    expect(errors).to.deep.equal([]);
    expect(object.status).to.deep.equal({
      observedGeneration: 1,
      typeChecking: {
        expressionWarnings: [
          {
            fieldRef: 'spec.validations[0].expression',
            warning:
              "apps/v1, Kind=Deployment: ERROR: <input>:1:40: undefined field 'replica'\n | object.spec.replicas > 1 && object.spec.replica > 1\n | .......................................^\n",
          },
        ],
      },
    });
  });

  it('looks at types again when the expressions change', () => {
    const old = { metadata: { generation: 3 }, spec };
    const { object } = update(kind, old, { spec: { ...spec, failurePolicy: 'Ignore' } });
    expect(object.status).to.deep.equal({ observedGeneration: 4, typeChecking: {} });
  });
});

describe('policyBindingRules', () => {
  const binding = { policyName: 'replicas', validationActions: ['Deny'] };
  const cases: ReadonlyArray<readonly [changes: Fields, errors: readonly string[]]> = [
    [{}, []],
    [{ validationActions: ['Warn', 'Audit'], paramRef: { name: 'x', parameterNotFoundAction: 'Deny' } }, []],
    [{ policyName: '' }, ['spec.policyName: Required value']],
    [
      { validationActions: [] },
      ['spec.validationActions: Required value: at least one validation action is required'],
    ],
    [
      { validationActions: ['Deny', 'Warn'] },
      [
        'spec.validationActions: Invalid value: []string{"Deny", "Warn"}: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
      ],
    ],
    [
      { validationActions: ['Shout'] },
      ['spec.validationActions[0]: Unsupported value: "Shout": supported values: "Audit", "Deny", "Warn"'],
    ],
    [
      { paramRef: {} },
      [
        'spec.paramRef: Required value: one of name or selector must be specified',
        'spec.paramRef.parameterNotFoundAction: Required value',
      ],
    ],
    [
      { paramRef: { name: 'x', selector: {}, parameterNotFoundAction: 'Allow' } },
      ['spec.paramRef.name: Forbidden: name and selector are mutually exclusive'],
    ],
  ];
  for (const [changes, errors] of cases) {
    it(`finds ${errors.length} problems in ${JSON.stringify(changes)}`, () => {
      expect(create(bindingKind, { spec: { ...binding, ...changes } }).errors).to.deep.equal(errors);
    });
  }
});
