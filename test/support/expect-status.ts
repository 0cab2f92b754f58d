import { expect } from 'chai';
import { type Status, StatusError } from '../../src/machinery/errors/index.ts';

/** What a Status must say; fields that are left out may be anything. */
export interface ExpectedStatus {
  readonly code: number;
  readonly reason?: string;
  readonly message?: string | RegExp;
}

/** The Status with which `act` fails; the test fails when it does not, or with another kind of error. */
export async function statusOf(act: (() => unknown) | Promise<unknown>): Promise<Status> {
  try {
    await (typeof act === 'function' ? act() : act);
  } catch (error) {
    if (error instanceof StatusError) return error.status;
    throw error;
  }
  throw new Error('a Status was expected, but nothing failed');
}

/** Fails the test unless `act` fails with such a Status; answers it. */
export async function expectStatus(
  act: (() => unknown) | Promise<unknown>,
  expected: ExpectedStatus,
): Promise<Status> {
  const status = await statusOf(act);
  const { code, reason, message } = expected;
  expect(status.code, status.message).to.equal(code);
  if (reason !== undefined) expect(status.reason ?? '').to.equal(reason);
  if (typeof message === 'string') expect(status.message).to.equal(message);
  else if (message !== undefined) expect(status.message).to.match(message);
  return status;
}
