import { expect } from 'chai';
import {
  nameIsDnsSubdomain,
  nameIsPathSegment,
  type ObjectMetaRules,
  standardFinalizers,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../../../../src/apis/validation/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { fieldPath } from '../../../../src/machinery/errors/index.ts';
import type { ObjectMeta } from '../../../../src/machinery/meta/index.ts';

const rules: ObjectMetaRules = {
  isNamespaced: true,
  validateName: nameIsDnsSubdomain,
  standardFinalizers: standardFinalizers(orchDialect),
};
const path = fieldPath('metadata');
const texts = (meta: ObjectMeta, given: Partial<ObjectMetaRules> = {}): string[] =>
  validateObjectMeta(meta, { ...rules, ...given }, path).map(String);
const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'r', uid: 'u' };
const valid: ObjectMeta = { name: 'a', namespace: 'n' };
const badName =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

describe('validateObjectMeta', () => {
  it('accepts metadata that uses everything', () => {
    const meta: ObjectMeta = {
      ...valid,
      generateName: 'a-',
      generation: 1,
      labels: { 'example.com/a': 'B_c', b: '' },
      annotations: { 'Example.COM/Any': 'any text \n' },
      ownerReferences: [{ ...owner, controller: true }],
      finalizers: ['orch', 'orphan', 'example.com/x'],
      managedFields: [{ manager: 'ctl', operation: 'Apply', fieldsType: 'FieldsV1' }],
    };
    expect(texts(meta)).to.deep.equal([]);
  });

  const cases: [string, ObjectMeta, string[]][] = [
    ['no name', { namespace: 'n' }, ['metadata.name: Required value: name or generateName is required']],
    ['no namespace', { name: 'a' }, ['metadata.namespace: Required value']],
    [
      'a label key',
      { ...valid, labels: { 'a b': '' } },
      [`metadata.labels: Invalid value: "a b": ${badName}`],
    ],
    [
      'an annotation key',
      { ...valid, annotations: { 'a b': '' } },
      [`metadata.annotations: Invalid value: "a b": ${badName}`],
    ],
    [
      'too many annotation bytes',
      { ...valid, annotations: { a: 'é'.repeat(131_072) } },
      ['metadata.annotations: Too long: must have at most 262144 bytes'],
    ],
    [
      'a negative generation',
      { ...valid, generation: -1 },
      ['metadata.generation: Invalid value: -1: must be greater than or equal to 0'],
    ],
    [
      'an empty owner',
      { ...valid, ownerReferences: [{ apiVersion: 'a/b/c', kind: '', name: '', uid: '' }] },
      [
        'metadata.ownerReferences.apiVersion: Invalid value: "a/b/c": version must not be empty',
        'metadata.ownerReferences.kind: Invalid value: "": kind must not be empty',
        'metadata.ownerReferences.name: Invalid value: "": name must not be empty',
        'metadata.ownerReferences.uid: Invalid value: "": uid must not be empty',
      ],
    ],
    [
      'an event as owner',
      { ...valid, ownerReferences: [{ ...owner, apiVersion: 'v1', kind: 'Event' }] },
      [
        'metadata.ownerReferences: Invalid value: v1.OwnerReference{APIVersion:"v1", Kind:"Event", Name:"r", UID:"u", Controller:(*bool)(nil), BlockOwnerDeletion:(*bool)(nil)}: /v1, Kind=Event is disallowed from being an owner',
      ],
    ],
    [
      'finalizers that exclude each other',
      { ...valid, finalizers: ['orphan', 'foregroundDeletion'] },
      [
        'metadata.finalizers: Invalid value: []string{"orphan", "foregroundDeletion"}: finalizer orphan and foregroundDeletion cannot be both set',
      ],
    ],
    [
      'a finalizer without a domain',
      { ...valid, finalizers: ['Bad Name'] },
      [
        `metadata.finalizers: Invalid value: "Bad Name": ${badName}`,
        'metadata.finalizers[0]: Invalid value: "Bad Name": name is neither a standard finalizer name nor is it fully qualified',
      ],
    ],
    [
      'managed fields of an unknown form',
      { ...valid, managedFields: [{ operation: 'Drop', fieldsType: 'V2', manager: 'a\n' }] },
      [
        'metadata.managedFields.operation: Invalid value: "Drop": must be `Apply` or `Update`',
        'metadata.managedFields.fieldsType: Invalid value: "V2": must be `FieldsV1`',
      ],
    ],
  ];
  for (const [title, meta, wanted] of cases) {
    it(`refuses ${title}`, () => expect(texts(meta)).to.deep.equal(wanted));
  }

  it('refuses a namespace where there is none', () => {
    expect(texts(valid, { isNamespaced: false })).to.deep.equal([
      'metadata.namespace: Forbidden: not allowed on this type',
    ]);
  });

  it('takes any qualified finalizer of custom kinds', () => {
    expect(texts({ ...valid, finalizers: ['plain'] }, { standardFinalizers: undefined })).to.deep.equal([]);
  });

  it('checks generated names and their prefix', () => {
    const fields = validateObjectMeta({ namespace: 'n', name: 'A', generateName: 'A_b-' }, rules, path);
    expect(fields.map((error) => String(error.path))).to.deep.equal([
      'metadata.generateName',
      'metadata.name',
    ]);
  });

  it('allows one controller only', () => {
    const controllers = [owner, { ...owner, name: 's' }].map((one) => ({ ...one, controller: true }));
    const [error, ...others] = texts({ ...valid, ownerReferences: controllers });
    expect(others).to.deep.equal([]);
    expect(error).to.match(
      /^metadata.ownerReferences: Invalid value: \[\]v1.OwnerReference\{v1.OwnerReference\{/,
    );
    expect(error).to.match(
      /: Only one reference can have Controller set to true\. Found "true" in references for r and s$/,
    );
  });

  it('keeps the answer to a hostile list of controllers small', () => {
    const ownerReferences = Array.from({ length: 2000 }, () => ({ ...owner, controller: true }));
    expect(texts({ ...valid, ownerReferences }).length).to.be.below(20);
  });
});

describe('validateObjectMetaUpdate', () => {
  const old: ObjectMeta = {
    ...valid,
    uid: 'u',
    resourceVersion: '7',
    generation: 3,
    creationTimestamp: '2020-01-02T03:04:05Z',
  };
  const changed = (change: ObjectMeta, before: ObjectMeta = {}): string[] =>
    validateObjectMetaUpdate({ ...old, ...change }, { ...old, ...before }, path).map(String);

  it('accepts new labels, annotations and finalizers', () => {
    expect(changed({ labels: { a: 'b' }, annotations: { a: 'b' }, finalizers: ['x/y'] })).to.deep.equal([]);
  });

  const cases: [string, string[], string[]][] = [
    ['another name', changed({ name: 'b' }), ['metadata.name: Invalid value: "b": field is immutable']],
    ['another uid', changed({ uid: 'v' }), ['metadata.uid: Invalid value: "v": field is immutable']],
    [
      'another namespace',
      changed({ namespace: 'm' }),
      ['metadata.namespace: Invalid value: "m": field is immutable'],
    ],
    [
      'another creation time',
      changed({ creationTimestamp: '2021-01-02T03:04:05Z' }),
      ['metadata.creationTimestamp: Invalid value: 2021-01-02 03:04:05 +0000 UTC: field is immutable'],
    ],
    [
      'a deletion time taken back',
      changed({}, { deletionTimestamp: '2021-01-02T03:04:05Z' }),
      ['metadata.deletionTimestamp: Invalid value: "null": field is immutable'],
    ],
    [
      'another grace period',
      changed({ deletionGracePeriodSeconds: 5 }),
      ['metadata.deletionGracePeriodSeconds: Invalid value: 5: field is immutable'],
    ],
    [
      'no resource version',
      changed({ resourceVersion: undefined }),
      ['metadata.resourceVersion: Invalid value: "": must be specified for an update'],
    ],
    [
      'an older generation',
      changed({ generation: 2 }),
      ['metadata.generation: Invalid value: 2: must not be decremented'],
    ],
    [
      'finalizers added after deletion began',
      changed(
        { deletionTimestamp: '2021-01-02T03:04:05Z', finalizers: ['x/b', 'x/c', 'x/a'] },
        { deletionTimestamp: '2021-01-02T03:04:05Z', finalizers: ['x/c'] },
      ),
      [
        'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"x/a", "x/b"}',
      ],
    ],
  ];
  for (const [title, actual, wanted] of cases) {
    it(`refuses ${title}`, () => expect(actual).to.deep.equal(wanted));
  }

  it('allows finalizers to go while deletion waits', () => {
    const deletionTimestamp = '2021-01-02T03:04:05Z';
    expect(changed({ deletionTimestamp }, { deletionTimestamp, finalizers: ['x/c'] })).to.deep.equal([]);
  });
});

describe('name validators', () => {
  it('allow a prefix to end in a dash', () => {
    expect(nameIsDnsSubdomain('a-', true)).to.deep.equal([]);
    expect(nameIsDnsSubdomain('a-', false)).to.have.length(1);
    expect(nameIsDnsSubdomain('-', true)).to.have.length(1);
  });

  it('let path segments be almost anything', () => {
    expect(nameIsPathSegment('system:Any Name', false)).to.deep.equal([]);
    expect(nameIsPathSegment('..', false)).to.deep.equal(["may not be '..'"]);
    expect(nameIsPathSegment('..', true)).to.deep.equal([]);
    expect(nameIsPathSegment('a%b', true)).to.deep.equal(["may not contain '%'"]);
  });
});
