import { expect } from 'chai';
import {
  validateNonResourceRule,
  validateResourceRule,
} from '../../../../src/apis/flowcontrol/request-rules.ts';
import type {
  NonResourcePolicyRule,
  ResourcePolicyRule,
} from '../../../../src/apis/types/flowcontrol-apiserver-v1beta1.ts';
import { type FieldError, fieldPath } from '../../../../src/machinery/errors/index.ts';

function resourceErrors(rule: Partial<ResourcePolicyRule>): string[] {
  const errors: FieldError[] = [];
  const whole = { verbs: ['get'], apiGroups: [''], resources: ['pods'], namespaces: ['default'], ...rule };
  validateResourceRule(errors, whole, fieldPath('r'));
  return errors.map(String);
}

function pathErrors(rule: Partial<NonResourcePolicyRule>): string[] {
  const errors: FieldError[] = [];
  validateNonResourceRule(errors, { verbs: ['get'], nonResourceURLs: ['/a'], ...rule }, fieldPath('r'));
  return errors.map(String);
}

const supported =
  'supported values: "create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"';

for (const [name, errorsOf] of [
  ['validateResourceRule', resourceErrors],
  ['validateNonResourceRule', pathErrors],
] as const) {
  describe(`${name}: verbs`, () => {
    for (const verbs of [
      ['get'],
      ['get', 'get'],
      ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'],
      ['*'],
    ])
      it(`may be ${verbs.join(', ')}`, () => expect(errorsOf({ verbs })).to.deep.equal([]));

    const wrong: readonly (readonly [verbs: string[] | null, error: string])[] = [
      [null, 'Required value: verbs must contain at least one value'],
      [[], 'Required value: verbs must contain at least one value'],
      [
        ['*', 'get'],
        'Invalid value: []string{"*", "get"}: if \'*\' is present, must not specify other verbs',
      ],
      [['*', '*'], 'Invalid value: []string{"*", "*"}: if \'*\' is present, must not specify other verbs'],
      // Others than the star are not looked at beside it.
      [
        ['fly', '*'],
        'Invalid value: []string{"fly", "*"}: if \'*\' is present, must not specify other verbs',
      ],
      [['get', 'fly'], `Unsupported value: []string{"get", "fly"}: ${supported}`],
      [['GET'], `Unsupported value: []string{"GET"}: ${supported}`],
      [[''], `Unsupported value: []string{""}: ${supported}`],
      [['connect'], `Unsupported value: []string{"connect"}: ${supported}`],
    ];
    for (const [verbs, error] of wrong) {
      it(`must not be ${JSON.stringify(verbs)}`, () =>
        expect(errorsOf({ verbs })).to.deep.equal([`r.verbs: ${error}`]));
    }
  });
}

describe('validateResourceRule', () => {
  const namespace = (at: number, value: string, problem: string) =>
    `r.namespaces[${at}]: Invalid value: "${value}": each member of this list must be '*' or a DNS-1123 label; ${problem}`;
  const label =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

  const right: readonly (readonly [title: string, rule: Partial<ResourcePolicyRule>])[] = [
    ['stars', { apiGroups: ['*'], resources: ['*'], namespaces: ['*'] }],
    [
      'any groups and resources',
      { apiGroups: ['', 'A b', 'é'], resources: ['', 'pods/log', '*/scale', 'P'] },
    ],
    ['several namespaces', { namespaces: ['a', 'b-1', '1', 'a'.repeat(63)] }],
    ['the cluster instead of namespaces', { clusterScope: true, namespaces: [] }],
    ['no list of namespaces', { clusterScope: true, namespaces: null }],
    ['both', { clusterScope: true, namespaces: ['a'] }],
  ];
  for (const [title, rule] of right)
    it(`takes ${title}`, () => expect(resourceErrors(rule)).to.deep.equal([]));

  const noNamespace =
    'r.namespaces: Required value: resource rules that are not cluster scoped must supply at least one namespace';
  const wrong: readonly (readonly [
    title: string,
    rule: Partial<ResourcePolicyRule>,
    ...errors: readonly string[],
  ])[] = [
    [
      'no groups',
      { apiGroups: [] },
      'r.apiGroups: Required value: resource rules must supply at least one api group',
    ],
    [
      'a group beside the star',
      { apiGroups: ['', '*'] },
      'r.apiGroups: Invalid value: []string{"", "*"}: if \'*\' is present, must not specify other api groups',
    ],
    [
      'no resources',
      { resources: null },
      'r.resources: Required value: resource rules must supply at least one resource',
    ],
    [
      'a resource beside the star',
      { resources: ['*', 'pods'] },
      'r.resources: Invalid value: []string{"*", "pods"}: if \'*\' is present, must not specify other resources',
    ],
    ['no namespaces', { namespaces: [] }, noNamespace],
    ['no list of namespaces', { namespaces: null, clusterScope: false }, noNamespace],
    [
      'a namespace beside the star',
      { namespaces: ['*', 'A'], clusterScope: true },
      'r.namespaces: Invalid value: []string{"*", "A"}: if \'*\' is present, must not specify other namespaces',
    ],
    ['capitals in a namespace', { namespaces: ['a', 'B'] }, namespace(1, 'B', label)],
    ['dots in a namespace', { namespaces: ['a.b'] }, namespace(0, 'a.b', label)],
    ['a prefix', { namespaces: ['a*'], clusterScope: true }, namespace(0, 'a*', label)],
    ['an empty namespace', { namespaces: [''] }, namespace(0, '', label)],
    [
      'a long namespace',
      { namespaces: ['a'.repeat(64)] },
      namespace(0, 'a'.repeat(64), 'must be no more than 63 characters'),
    ],
    [
      'all of it at once, in this order',
      { verbs: [], apiGroups: [], resources: [], namespaces: [] },
      'r.verbs: Required value: verbs must contain at least one value',
      'r.apiGroups: Required value: resource rules must supply at least one api group',
      'r.resources: Required value: resource rules must supply at least one resource',
      noNamespace,
    ],
  ];
  for (const [title, rule, ...errors] of wrong)
    it(`refuses ${title}`, () => expect(resourceErrors(rule)).to.deep.equal(errors));
});

describe('validateNonResourceRule: paths', () => {
  for (const nonResourceURLs of [
    ['*'],
    ['/'],
    ['/a', '/a/b/', '/a-b_c.d~'],
    ['/*'],
    ['/a/*'],
    ['/é?x#y'],
    ['/a\tb'],
    ['/'.padEnd(5000, 'a')],
  ])
    it(`may be ${nonResourceURLs.join(', ').slice(0, 40)}`, () =>
      expect(pathErrors({ nonResourceURLs })).to.deep.equal([]));

  const wrong: readonly (readonly [url: string, problem: string])[] = [
    ['', 'must not be empty'],
    ['a', 'must start with slash'],
    ['a*', 'must start with slash'],
    [' /a', 'must start with slash'],
    ['http://h/', 'must start with slash'],
    ['/a b', 'must not contain white-space'],
    ['/ ', 'must not contain white-space'],
    ['//', 'must not contain double slash'],
    ['/a//b', 'must not contain double slash'],
    ['/ //*a', 'must not contain white-space'],
    ['//*a', 'must not contain double slash'],
    ['/a*', 'wildcard can only do suffix matching'],
    ['/*a', 'wildcard can only do suffix matching'],
    ['/*/a', 'wildcard can only do suffix matching'],
    ['/**', 'wildcard can only do suffix matching'],
    ['/*/*', 'wildcard can only do suffix matching'],
    ['/a/*/*', 'wildcard can only do suffix matching'],
  ];
  for (const [url, problem] of wrong) {
    it(`must not be ${JSON.stringify(url)}`, () =>
      expect(pathErrors({ nonResourceURLs: ['/a', url] })).to.deep.equal([
        `r.nonResourceURLs[1]: Invalid value: "${url}": ${problem}`,
      ]));
  }

  it('must be there, and the star alone', () => {
    for (const nonResourceURLs of [null, []])
      expect(pathErrors({ nonResourceURLs: nonResourceURLs as string[] })).to.deep.equal([
        'r.nonResourceURLs: Required value: nonResourceURLs must contain at least one value',
      ]);
    expect(pathErrors({ nonResourceURLs: ['a', '*'] })).to.deep.equal([
      'r.nonResourceURLs: Invalid value: []string{"a", "*"}: if \'*\' is present, must not specify other non-resource URLs',
    ]);
  });
});
