import { expect } from 'chai';
import { TransportError } from '../../../src/client/rest/index.ts';
import { CombinedError, CtlError, UsageError } from '../../../src/ctl/errors.ts';
import { createJsonErrors } from '../../../src/ctl/json-errors.ts';
import { ManifestError } from '../../../src/ctl/validation/manifest-error.ts';
import { notFound } from '../../../src/machinery/errors/index.ts';
import { run } from './support/run.ts';

const linesOf = (text: string): readonly unknown[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

describe('--errors=json', () => {
  /** What is written to standard error by errors and texts. */
  function printed(act: (errors: ReturnType<typeof createJsonErrors>) => void): string {
    let text = '';
    const write = (part: string | Uint8Array): void => {
      text += part.toString();
    };
    const stderr = { isTerminal: true, write };
    act(createJsonErrors({ stderr } as unknown as Parameters<typeof createJsonErrors>[0])); // It touches no more of it.
    return text;
  }
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {} };
  const failure = { ...status, status: 'Failure' };

  it('prints what the server sent whole, and its own errors as a server would', () => {
    const missing = notFound({ group: '', resource: 'pods' }, 'web');
    const field = { path: 'dta', text: 'unknown field', place: { file: 'a.yaml', line: 7, column: 1 } };
    const text = printed((errors) => {
      errors.print(
        new CombinedError([
          missing,
          new UsageError('one name is required'),
          new ManifestError('a.yaml:7:1 dta: unknown field', 'dta: unknown field', field),
          new TransportError('refused', 'x', { host: 'h' }),
          new CtlError('anything else'),
        ]),
      );
    });
    expect(linesOf(text)).to.deep.equal([
      missing.status,
      { ...failure, message: 'one name is required', reason: 'BadRequest', code: 400 },
      {
        ...failure,
        message: 'a.yaml:7:1 dta: unknown field',
        reason: 'Invalid',
        code: 422,
        details: { causes: [{ reason: 'FieldValueInvalid', message: 'unknown field', field: 'dta' }] },
        places: [{ file: 'a.yaml', line: 7, column: 1 }],
      },
      { ...failure, message: 'x', reason: 'ServiceUnavailable', code: 503 },
      { ...failure, message: 'anything else' },
    ]);
  });

  it('makes a Status of each line of text, however it comes, and leaves bytes alone', () => {
    const text = printed(({ io, end }) => {
      expect(io.stderr.isTerminal).to.equal(false);
      io.stderr.write('\u001b[33mWarning:\u001b[0m it is');
      io.stderr.write(' old\n\nNo resources');
      io.stderr.write(Buffer.from('bytes\n'));
      end();
    });
    expect(text).to.match(/^\{.*\}\nbytes\n\{.*\}\n$/);
    expect(linesOf(text.replace('bytes\n', ''))).to.deep.equal([
      { ...status, status: 'Success', message: 'Warning: it is old' },
      { ...status, status: 'Success', message: 'No resources' },
    ]);
  });

  it('comes when it is asked for, also for a command line that is wrong', async () => {
    const wrong = await run(['get', '--nonsense', '--errors', 'json', '--exit-codes=reason']);
    expect(wrong.code).to.equal(80);
    expect(linesOf(wrong.err)).to.deep.equal([
      { ...failure, message: 'unknown flag: --nonsense', reason: 'BadRequest', code: 400 },
    ]);
    const asText = await run(['get', '--nonsense', '--', '--errors=json']);
    expect(asText.err).to.match(/^Error: unknown flag: --nonsense\n/);
    expect(linesOf((await run(['nonsense', '--errors=json'])).err)).to.have.length(1);
  });
});
