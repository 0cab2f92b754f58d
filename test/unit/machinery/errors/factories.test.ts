import { expect } from 'chai';
import {
  alreadyExists,
  badRequest,
  conflict,
  duplicate,
  expired,
  fieldPath,
  forbidden,
  internalError,
  invalid,
  invalidValue,
  isReason,
  notAcceptable,
  notFound,
  notFoundPath,
  otherFailure,
  requestEntityTooLarge,
  required,
  type StatusError,
  serviceUnavailable,
  timeout,
  tooManyRequests,
  unauthorized,
  unsupportedMediaType,
} from '../../../../src/machinery/errors/index.ts';

const pods = { group: '', resource: 'pods' };
const deployments = { group: 'apps', resource: 'deployments' };
const noResource = { group: '', resource: '' };

interface Row {
  readonly title: string;
  readonly error: StatusError;
  readonly code: number;
  readonly reason?: string;
  readonly message: string;
  readonly details?: object;
}

const rows: readonly Row[] = [
  {
    title: 'notFound of the core group',
    error: notFound(pods, 'a'),
    code: 404,
    reason: 'NotFound',
    message: 'pods "a" not found',
    details: { name: 'a', kind: 'pods' },
  },
  {
    title: 'notFound of a named group',
    error: notFound(deployments, 'a'),
    code: 404,
    reason: 'NotFound',
    message: 'deployments.apps "a" not found',
    details: { name: 'a', group: 'apps', kind: 'deployments' },
  },
  {
    title: 'notFoundPath',
    error: notFoundPath(),
    code: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
    details: {},
  },
  {
    title: 'alreadyExists',
    error: alreadyExists(deployments, 'web'),
    code: 409,
    reason: 'AlreadyExists',
    message: 'deployments.apps "web" already exists',
    details: { name: 'web', group: 'apps', kind: 'deployments' },
  },
  {
    title: 'conflict',
    error: conflict(pods, 'a', 'the object has been modified'),
    code: 409,
    reason: 'Conflict',
    message: 'Operation cannot be fulfilled on pods "a": the object has been modified',
    details: { name: 'a', kind: 'pods' },
  },
  {
    title: 'forbidden of one object',
    error: forbidden(deployments, 'web', 'no'),
    code: 403,
    reason: 'Forbidden',
    message: 'deployments.apps "web" is forbidden: no',
    details: { name: 'web', group: 'apps', kind: 'deployments' },
  },
  {
    title: 'forbidden of a collection',
    error: forbidden(deployments, '', 'no'),
    code: 403,
    reason: 'Forbidden',
    message: 'deployments.apps is forbidden: no',
    details: { group: 'apps', kind: 'deployments' },
  },
  {
    title: 'forbidden of a path that is no resource',
    error: forbidden(noResource, '', 'User "x" cannot get path "/metrics"'),
    code: 403,
    reason: 'Forbidden',
    message: 'forbidden: User "x" cannot get path "/metrics"',
    details: {},
  },
  {
    title: 'badRequest',
    error: badRequest('limit is no number'),
    code: 400,
    reason: 'BadRequest',
    message: 'limit is no number',
  },
  {
    title: 'unauthorized',
    error: unauthorized(),
    code: 401,
    reason: 'Unauthorized',
    message: 'Unauthorized',
  },
  {
    title: 'notAcceptable',
    error: notAcceptable(['application/json', 'application/yaml']),
    code: 406,
    reason: 'NotAcceptable',
    message: 'only the following media types are accepted: application/json, application/yaml',
  },
  {
    title: 'unsupportedMediaType',
    error: unsupportedMediaType(['application/json', 'application/yaml']),
    code: 415,
    reason: 'UnsupportedMediaType',
    message:
      'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml',
  },
  {
    title: 'expired',
    error: expired('too old resource version: 1 (5)'),
    code: 410,
    reason: 'Expired',
    message: 'too old resource version: 1 (5)',
  },
  {
    title: 'requestEntityTooLarge',
    error: requestEntityTooLarge('limit is 3145728'),
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: 'limit is 3145728',
  },
  {
    title: 'tooManyRequests',
    error: tooManyRequests('try again', 1),
    code: 429,
    reason: 'TooManyRequests',
    message: 'try again',
    details: { retryAfterSeconds: 1 },
  },
  {
    title: 'timeout with a time to wait',
    error: timeout('Too large resource version: 9, current: 4', 1),
    code: 504,
    reason: 'Timeout',
    message: 'Timeout: Too large resource version: 9, current: 4',
    details: { retryAfterSeconds: 1 },
  },
  {
    title: 'timeout without a time to wait',
    error: timeout('gave up', 0),
    code: 504,
    reason: 'Timeout',
    message: 'Timeout: gave up',
    details: {},
  },
  {
    title: 'internalError',
    error: internalError('disk full'),
    code: 500,
    reason: 'InternalError',
    message: 'Internal error occurred: disk full',
    details: { causes: [{ message: 'disk full' }] },
  },
  {
    title: 'serviceUnavailable',
    error: serviceUnavailable('no endpoints'),
    code: 503,
    reason: 'ServiceUnavailable',
    message: 'no endpoints',
  },
  { title: 'a failure without a reason', error: otherFailure(500, '', 'odd'), code: 500, message: 'odd' },
];

describe('factories of API errors', () => {
  for (const { title, error, code, reason, message, details } of rows) {
    it(`${title} is a whole Status`, () => {
      expect(error.status).to.deep.equal({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message,
        ...(reason === undefined ? {} : { reason }),
        ...(details === undefined ? {} : { details }),
        code,
      });
      expect(error.message).to.equal(message);
      expect(error.code).to.equal(code);
      expect(isReason(error, reason ?? '')).to.equal(true);
    });
  }

  it('writes the fields of a Status in the order of the wire', () => {
    expect(Object.keys(notFound(deployments, 'a').status)).to.deep.equal(
      'kind apiVersion metadata status message reason details code'.split(' '),
    );
    expect(Object.keys(notFound(deployments, 'a').status.details ?? {})).to.deep.equal([
      'name',
      'group',
      'kind',
    ]);
  });
});

describe('names in messages', () => {
  // The reference writes them with %q; the details have them as they are.
  const odd: readonly (readonly [string, string])[] = [
    ['a"b', '"a\\"b"'],
    ['a\\b', '"a\\\\b"'],
    ['a\nb', '"a\\nb"'],
    ['\u0001', '"\\x01"'],
    ['a b', '"a b"'],
    ['é', '"é"'],
  ];
  const named: readonly (readonly [string, (name: string) => StatusError])[] = [
    ['notFound', (name) => notFound(pods, name)],
    ['alreadyExists', (name) => alreadyExists(pods, name)],
    ['conflict', (name) => conflict(pods, name, 'no')],
    ['forbidden', (name) => forbidden(pods, name, 'no')],
    ['invalid', (name) => invalid({ group: '', kind: 'Pod' }, name, [required(fieldPath('spec'))])],
  ];
  for (const [factory, make] of named) {
    for (const [name, quoted] of odd) {
      it(`${factory} quotes ${JSON.stringify(name)}`, () => {
        const { message = '', details } = make(name).status;
        expect(message.includes(` ${quoted}`), message).to.equal(true);
        expect(details?.name).to.equal(name);
      });
    }
  }
});

describe('invalid', () => {
  const spec = fieldPath('spec');
  const replicas = invalidValue(spec.child('replicas'), -1, 'must be greater than or equal to 0');

  it('names one problem without brackets', () => {
    const { status } = invalid({ group: 'apps', kind: 'Deployment' }, 'web', [replicas]);
    expect(status.message).to.equal(
      'Deployment.apps "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    );
    expect(status.details).to.deep.equal({
      name: 'web',
      group: 'apps',
      kind: 'Deployment',
      causes: [
        {
          reason: 'FieldValueInvalid',
          message: 'Invalid value: -1: must be greater than or equal to 0',
          field: 'spec.replicas',
        },
      ],
    });
  });

  it('names several in brackets, in the order given', () => {
    const { status } = invalid({ group: '', kind: 'Pod' }, 'p', [
      required(spec.child('containers')),
      duplicate(spec.child('volumes').index(1).child('name'), 'v'),
    ]);
    expect(status.message).to.equal(
      'Pod "p" is invalid: [spec.containers: Required value, spec.volumes[1].name: Duplicate value: "v"]',
    );
    expect(status.details?.causes?.map(({ field }) => field)).to.deep.equal([
      'spec.containers',
      'spec.volumes[1].name',
    ]);
  });

  it('names a repeated problem once in the message and every time among the causes', () => {
    const { status } = invalid({ group: '', kind: 'Pod' }, 'p', [required(spec), required(spec)]);
    expect(status.message).to.equal('Pod "p" is invalid: spec: Required value');
    expect(status.details?.causes).to.have.length(2);
  });

  it('counts what comes after a million letters', () => {
    const long = fieldPath('a'.repeat(1000));
    const errors = Array.from({ length: 5000 }, (_, n) => required(long.index(n)));
    const { message, details } = invalid({ group: '', kind: 'Pod' }, 'p', errors).status;
    const told = details?.causes?.length ?? 0;
    expect(told).to.be.within(1000, 1048);
    expect(message).to.match(new RegExp(`, and ${5000 - told} other errors\\]$`));
    const whole = invalid({ group: '', kind: 'Pod' }, 'p', errors.slice(0, told)).status;
    expect(whole.message).to.not.include('other errors');
  });

  it('leaves an unknown name out of the details', () => {
    const { details } = invalid({ group: '', kind: 'Pod' }, '', [required(spec)]).status;
    expect(details).to.not.have.any.keys('name', 'group');
  });
});
