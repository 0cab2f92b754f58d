import { expect } from 'chai';
import { isReason, notFound, type Status, StatusError } from '../../../../src/machinery/errors/index.ts';

const bare: Status = { kind: 'Status', apiVersion: 'v1', metadata: {} };

describe('StatusError', () => {
  const messages: readonly (readonly [Status, string])[] = [
    [{ ...bare, message: 'm', reason: 'R' }, 'm'],
    [{ ...bare, reason: 'R' }, 'R'],
    [bare, 'unknown'],
  ];
  for (const [status, message] of messages) {
    it(`says "${message}"`, () => expect(new StatusError(status).message).to.equal(message));
  }

  it('counts as a failure of the server when the answer has no code', () => {
    expect(new StatusError(bare).code).to.equal(500);
    expect(new StatusError({ ...bare, code: 418 }).code).to.equal(418);
  });

  it('keeps what it was made from and why', () => {
    const cause = new Error('disk');
    const error = new StatusError(bare, { cause });
    expect(error.status).to.equal(bare);
    expect(error.cause).to.equal(cause);
    expect(error.name).to.equal('StatusError');
  });
});

describe('isReason', () => {
  const error = notFound({ group: '', resource: 'pods' }, 'a');
  const rows: readonly (readonly [string, unknown, string, boolean])[] = [
    ['the reason itself', error, 'NotFound', true],
    ['another reason', error, 'Conflict', false],
    ['no case is folded', error, 'notfound', false],
    ['an answer without a reason', new StatusError(bare), '', true],
    [
      'an error that only looks alike',
      Object.assign(new Error('x'), { reason: 'NotFound' }),
      'NotFound',
      false,
    ],
    ['no error at all', undefined, 'NotFound', false],
  ];
  for (const [title, value, reason, wanted] of rows) {
    it(`${title}: ${wanted}`, () => expect(isReason(value, reason)).to.equal(wanted));
  }
});
