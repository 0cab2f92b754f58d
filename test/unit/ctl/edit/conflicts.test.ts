import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { FakeApi, failure, pod } from '../support/fake-api.ts';
import { run } from '../support/run.ts';
import { createScriptedEditor, substitute } from '../support/scripted-editor.ts';

const path = '/api/v1/namespaces/default/pods/a';
const conflict = failure(409, 'Conflict', 'pods "a": the object has been modified', {
  name: 'a',
  kind: 'pods',
});

describe('ctl edit and ctl diff against others who write', () => {
  let api: FakeApi | undefined;
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ctl-edit-test-'));
  });
  afterEach(async () => {
    await api?.stop();
    api = undefined;
    rmSync(folder, { recursive: true, force: true });
  });
  /** Answers patches with a conflict as often as said, then with a pod. */
  const start = async (conflicts: number) => {
    let patches = 0;
    api = await FakeApi.start({
      [`GET ${path}`]: { body: pod('a') },
      [`PATCH ${path}`]: () => (patches++ < conflicts ? conflict : { body: pod('a') }),
    });
    return (argv: readonly string[], env: Readonly<Record<string, string>>, stdin = '') =>
      run([...argv, '-s', api?.url ?? ''], { stdin, env: { ...env, TMPDIR: folder } });
  };
  const patches = () => api?.requests.filter(({ method }) => method === 'PATCH') ?? [];
  const edit = async (conflicts: number, step: string) => {
    const ctl = await start(conflicts);
    const { command, path: file } = createScriptedEditor(folder, step);
    return { ...(await ctl(['edit', 'pod', 'a'], { EDITOR: command })), file: file() };
  };

  it('sends the patch of an edit again when it lost a race', async () => {
    const { code, out } = await edit(3, substitute('x:1', 'x:2'));
    expect({ code, out }).to.deep.equal({ code: 0, out: 'pod/a edited\n' });
    expect(patches()).to.have.length(4);
    expect(patches()[0]?.query.get('fieldManager')).to.equal('ctl-edit');
  });

  it('gives an edit up after some races and keeps the file', async () => {
    const { code, err, file } = await edit(Infinity, substitute('x:1', 'x:2'));
    expect(code).to.equal(1);
    expect(patches()).to.have.length(5);
    expect(err).to.equal(
      `error: pods "a" could not be patched: pods "a": the object has been modified\nYou can run \`ctl replace -f ${file}\` to try this update again.\n`,
    );
  });

  it('does not send an edit again that names the version it wants', async () => {
    const { code } = await edit(1, substitute('resourceVersion: "7"', 'resourceVersion: "6"'));
    expect(code).to.equal(1);
    expect(patches()).to.have.length(1);
  });

  const changed = JSON.stringify({ ...pod('a'), spec: { containers: [{ name: 'c', image: 'x:2' }] } });

  it('compares with the newest state, and at last without a lock', async () => {
    const ctl = await start(3);
    const { code, err } = await ctl(['diff', '-f', '-'], {}, changed);
    expect({ code, err }).to.deep.equal({
      code: 0,
      err: 'Warning: Pod "a" keeps changing, comparing without a lock\n',
    });
    const versions = patches().map(
      ({ body }) => (body as { metadata?: { resourceVersion?: string } }).metadata?.resourceVersion,
    );
    expect(versions).to.deep.equal(['7', '7', '7', undefined]);
    expect(patches().every(({ query }) => query.get('dryRun') === 'All')).to.equal(true);
  });

  it('ends a comparison with 2 when the conflict stays', async () => {
    const ctl = await start(Infinity);
    expect((await ctl(['diff', '-f', '-'], {}, changed)).code).to.equal(2);
    expect(patches()).to.have.length(4);
  });
});
