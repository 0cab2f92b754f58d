import { Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { expect } from 'chai';
import { toRuntimeError } from '../../../../src/nodeagent/cri/failure.ts';
import type { RuntimeErrorCode } from '../../../../src/nodeagent/runtime/index.ts';

const failureOf = (code: number, details: string): ServiceError =>
  Object.assign(new Error(`${code} ${details}`), { code, details, metadata: new Metadata() });
const codeOf = (code: number, details = 'x'): RuntimeErrorCode =>
  toRuntimeError('RunPodSandbox', failureOf(code, details)).code;

describe('toRuntimeError', () => {
  const codes: readonly [keyof typeof status, RuntimeErrorCode][] = [
    ['CANCELLED', 'cancelled'],
    ['UNKNOWN', 'failed'],
    ['INVALID_ARGUMENT', 'invalid'],
    ['DEADLINE_EXCEEDED', 'timeout'],
    ['NOT_FOUND', 'not-found'],
    ['ALREADY_EXISTS', 'already-exists'],
    ['PERMISSION_DENIED', 'denied'],
    ['UNAUTHENTICATED', 'denied'],
    ['FAILED_PRECONDITION', 'invalid'],
    ['OUT_OF_RANGE', 'invalid'],
    ['UNIMPLEMENTED', 'unsupported'],
    ['UNAVAILABLE', 'unavailable'],
    ['ABORTED', 'failed'],
    ['INTERNAL', 'failed'],
    ['DATA_LOSS', 'failed'],
    ['RESOURCE_EXHAUSTED', 'failed'],
  ];
  for (const [name, code] of codes) {
    it(`takes status ${name} for ${code}`, () => expect(codeOf(status[name])).to.equal(code));
  }

  it('takes statuses that nobody knows for failures', () => {
    for (const code of [17, 99, -1]) expect(codeOf(code)).to.equal('failed');
  });

  it('says that the same call may succeed later only where the runtime gave no verdict', () => {
    const retriable = Object.entries(status)
      .filter(([, code]) => typeof code === 'number')
      .filter(([, code]) => toRuntimeError('Version', failureOf(code as number, 'x')).isRetriable)
      .map(([name]) => name);
    expect(retriable).to.have.members(['DEADLINE_EXCEEDED', 'UNAVAILABLE']);
  });

  const exhausted: readonly [string, RuntimeErrorCode][] = [
    ['Received message larger than max (16777217 vs 16777216)', 'too-large'],
    ['Received message larger than max (9 vs 4)', 'too-large'],
    ['Attempted to send message with a size larger than 4', 'too-large'],
    ['grpc: received message larger than max (9 vs 4)', 'too-large'],
    ['no space left on device', 'failed'],
    ['toomanyrequests: You have reached your pull rate limit', 'failed'],
    ['the image is larger than the disk', 'failed'],
  ];
  for (const [details, code] of exhausted) {
    it(`takes exhaustion by "${details}" for ${code}`, () => {
      expect(codeOf(status.RESOURCE_EXHAUSTED, details)).to.equal(code);
    });
  }

  const taken: readonly [string, RuntimeErrorCode][] = [
    ['failed to reserve sandbox name "a_b_c_d_0": name "a_b_c_d_0" is reserved for "0123"', 'already-exists'],
    ['the container name "x" is reserved', 'already-exists'],
    ['Name x already exists', 'already-exists'],
    ['the folder already exists', 'failed'],
    ['filename already exists', 'failed'],
    ['the name is too long', 'failed'],
  ];
  for (const [details, code] of taken) {
    it(`takes "${details}" without a status of its own for ${code}`, () => {
      expect(codeOf(status.UNKNOWN, details)).to.equal(code);
    });
  }

  it('looks at the words only where the status says nothing', () => {
    expect(codeOf(status.INTERNAL, 'name "x" is reserved')).to.equal('failed');
    expect(codeOf(status.NOT_FOUND, 'name "x" is reserved')).to.equal('not-found');
    expect(codeOf(status.INTERNAL, 'Received message larger than max')).to.equal('failed');
  });

  it('names the call in the message, and keeps what the runtime says apart', () => {
    const failure = failureOf(status.NOT_FOUND, 'no such container: é🦊');
    const error = toRuntimeError('ContainerStatus', failure);
    expect(error.message).to.equal('ContainerStatus: no such container: é🦊');
    expect(error.detail).to.equal('no such container: é🦊');
    expect(error.cause).to.equal(failure);
  });

  it('keeps words that look like a call', () => {
    expect(toRuntimeError('PullImage', failureOf(2, 'Docker: gone')).detail).to.equal('Docker: gone');
  });

  it('names the status where the runtime says nothing', () => {
    expect(toRuntimeError('Version', failureOf(status.INTERNAL, '')).message).to.equal('Version: status 13');
  });

  it('passes on 4096 characters at most', () => {
    const { detail, message } = toRuntimeError('Version', failureOf(2, 'x'.repeat(1_000_000)));
    expect(detail).to.equal('x'.repeat(4096));
    expect(message).to.equal(`Version: ${'x'.repeat(4096)}`);
  });

  it('is quick with details that are made to hold it up', () => {
    const hostile = 'name '.repeat(800) + 'message '.repeat(1000);
    expect(codeOf(status.UNKNOWN, hostile)).to.equal('failed');
    expect(codeOf(status.RESOURCE_EXHAUSTED, hostile)).to.equal('failed');
  });
});
