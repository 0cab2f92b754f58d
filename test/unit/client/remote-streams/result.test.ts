import { expect } from 'chai';
import { decodeResult, RemoteExitError } from '../../../../src/client/remote-streams/index.ts';

const failure = (more: object): string => JSON.stringify({ status: 'Failure', ...more });
const exit = (message: unknown): string =>
  failure({ reason: 'NonZeroExitCode', details: { causes: [{ reason: 'ExitCode', message }] } });

describe('decodeResult', () => {
  const good = ['', '{"metadata":{},"status":"Success"}', '{"status":"Success","details":null}'];
  for (const text of good) {
    it(`finds nothing wrong with ${JSON.stringify(text)}`, () => {
      expect(decodeResult(text)).to.equal(undefined);
    });
  }

  it('reads the exit code of the command', () => {
    const error = decodeResult(exit('42'));
    expect(error).to.be.instanceOf(RemoteExitError);
    expect(error).to.include({ exitCode: 42, message: 'command terminated with exit code 42' });
  });

  // The texts are those of the release's client.
  const bad: readonly (readonly [text: string, message: string])[] = [
    [failure({ reason: 'InternalError', message: 'no such program' }), 'no such program'],
    [failure({ reason: 'NonZeroExitCode' }), 'error stream protocol error: details must be set'],
    [
      failure({ reason: 'NonZeroExitCode', details: {} }),
      'error stream protocol error: no ExitCode cause given',
    ],
    [exit('many'), 'error stream protocol error: invalid exit code value "many"'],
    [exit('256'), 'error stream protocol error: invalid exit code value "256"'],
    ['{"status":"Odd"}', 'error stream protocol error: unknown error'],
    ['[]', 'error stream protocol error: unknown error'],
    ['{"status":"Failure","details":{"causes":"x"}}', 'error stream protocol error: unknown error'],
  ];
  for (const [text, message] of bad) {
    it(`says what is wrong with ${text}`, () => {
      const error = decodeResult(text);
      expect(error).to.not.be.instanceOf(RemoteExitError);
      expect(error?.message).to.equal(message);
    });
  }

  it('shows what is no JSON', () => {
    expect(decodeResult('oops')?.message).to.match(/^error stream protocol error: .* in "oops"$/);
  });
});
