import { expect } from 'chai';
import { run } from './support/run.ts';

const problemOf = async (...words: string[]) => (await run(['run', ...words])).err.split('\n')[0];

describe('what `run` checks before anything is made', () => {
  it('says what is wrong first with the name, then with how to attach, then with the port, then with --rm', async () => {
    const wrong = ['--image=i', '--rm', '--tty', '--expose', '--dry-run=client'];
    const problems = [
      await problemOf(...wrong),
      await problemOf('x', ...wrong),
      await problemOf('x', ...wrong, '--stdin'),
      await problemOf('x', ...wrong, '--stdin', '--port=80'),
      await problemOf('x', '--image=i', '--rm'),
    ];
    const parts = [
      'NAME is required for run',
      '-i/--stdin is required for containers with -t/--tty=true',
      '--port must be set when exposing a service',
      "--dry-run=[server|client] can't be used with attached containers options",
      '--rm should only be used for attached containers',
    ];
    for (const [at, part] of parts.entries()) expect(problems[at]).to.include(part);
  });
});
