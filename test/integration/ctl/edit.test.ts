import { readFileSync, rmSync } from 'node:fs';
import { expect } from 'chai';
import { createScriptedEditor, substitute, untilClosed } from '../../unit/ctl/support/scripted-editor.ts';
import { type CtlServer, startCtlServer } from './support/ctl-server.ts';

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: "x:1"}, {name: d, image: "y:1"}]}
`;
const map = `apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {size: small, note: "# no comment\\n"}
`;
const files = `${map}---\n${deployment}`;

describe('ctl edit', () => {
  let world: CtlServer;
  let namespace = '';
  let count = 0;
  before(async () => {
    world = await startCtlServer();
  });
  after(() => world.stop());
  beforeEach(async () => {
    namespace = `edit-${++count}`;
    await world.ctl(['create', 'ns', namespace]);
    expect((await ctl(['create', '-f', '-'], { stdin: files })).code).to.equal(0);
  });
  afterEach(() => expect(world.leftovers()).to.deep.equal([]));

  const ctl: CtlServer['ctl'] = (argv, setting) => world.ctl([...argv, '-n', namespace], setting);
  const read = async (object: string, path: string) =>
    (await ctl(['get', object, '-o', `jsonpath={${path}}`])).out;
  /** Edits with a script and returns what was printed beside what the script saw. */
  const edit = async (argv: readonly string[], ...steps: readonly string[]) => {
    const editor = createScriptedEditor(world.folder, ...steps);
    const result = await ctl(['edit', ...argv], { env: { EDITOR: editor.command } });
    return { ...result, editor, seen: editor.seen() };
  };
  /** The copy that a failed edit left, which is then removed. */
  const takeCopy = (path: string) => {
    const text = readFileSync(path, 'utf8');
    rmSync(path);
    return text;
  };

  it('sends what was changed and nothing else', async () => {
    const step = substitute('size: small', 'size: large');
    const { code, out, err, seen, editor } = await edit(['cm/settings', '--output-patch'], step);
    expect({ code, out, err }).to.deep.equal({
      code: 0,
      out: 'Patch: {"data":{"size":"large"}}\nconfigmap/settings edited\n',
      err: '',
    });
    expect(seen[0]).to.match(/^# Please edit the object below\.[\s\S]*\n#\napiVersion: v1\ndata:\n/);
    expect(seen[0]).to.not.include('managedFields');
    expect(editor.mode()).to.equal('600');
    expect(editor.path()).to.match(/\/ctl-edit-[^/]+\.yaml$/);
    expect(await read('cm/settings', '.data.size')).to.equal('large');
    expect(await read('cm/settings', '.metadata.managedFields[*].manager')).to.include('ctl-edit');
  });

  it('merges lists by their keys, so that other items stay as they are', async () => {
    const { out } = await edit(['deploy', 'web', '--output-patch'], substitute('y:1', 'y:2'));
    expect(out).to.equal(
      'Patch: {"spec":{"template":{"spec":{"$setElementOrder/containers":[{"name":"c"},{"name":"d"}],"containers":[{"image":"y:2","name":"d"}]}}}}\ndeployment.apps/web edited\n',
    );
  });

  for (const { what, step, says } of [
    { what: 'nothing was changed', step: 'true', says: 'no changes made' },
    { what: 'only comments were changed', step: 'echo "# mine" >> "$file"', says: 'no changes made' },
    { what: 'the file is empty', step: ': > "$file"', says: 'saved file was empty' },
    { what: 'only comments are left', step: 'echo "# a" > "$file"', says: 'saved file was empty' },
  ]) {
    it(`ends without a change when ${what}`, async () => {
      const { code, out, err } = await edit(['cm/settings'], step);
      expect({ code, out, err }).to.deep.equal({ code: 0, out: '', err: `Edit cancelled, ${says}.\n` });
    });
  }

  it('opens what the server refuses again, with the reasons on top', async () => {
    const { code, out, err, seen } = await edit(
      ['deploy/web'],
      substitute('replicas: 2', 'replicas: -3'),
      substitute('replicas: -3', 'replicas: 3'),
    );
    expect({ code, out, err }).to.deep.equal({
      code: 0,
      out: 'deployment.apps/web edited\n',
      err: 'error: deployments.apps "web" is invalid\n',
    });
    expect(seen[1]).to.include(
      '# deployments.apps "web" was not valid:\n# * spec.replicas: Invalid value: -3: must be greater than or equal to 0\n#\napiVersion: apps/v1\n',
    );
    expect(seen[1]).to.include('\n  replicas: -3\n');
    expect(await read('deploy/web', '.spec.replicas')).to.equal('3');
  });

  it('opens text with unknown fields again, unless that is left to the server', async () => {
    const wrong = substitute('replicas: 2', 'replicaz: 3');
    const { out, err, seen } = await edit(['deploy/web'], wrong, substitute('replicaz: 3', 'replicas: 3'));
    const reason = 'The edited file failed validation: spec.replicaz: unknown field; did you mean replicas?';
    expect(err).to.equal(`error: deployments.apps "web" is invalid\n${reason}\n`);
    expect(seen[1]).to.include(reason);
    expect(out).to.equal('deployment.apps/web edited\n');
    const unchecked = await edit(
      ['deploy/web', '--validate=false'],
      substitute('replicas: 3', 'replicaz: 3'),
    );
    expect(unchecked.seen).to.have.length(1);
  });

  it('opens broken text again, keeps all of it, and gives up when nothing is done about it', async () => {
    const { code, err, seen, editor } = await edit(['cm/settings'], 'echo "x: [" >> "$file"', 'true');
    expect(code).to.equal(1);
    expect(err).to.include('error: configmaps "settings" is invalid\n');
    expect(err).to.match(/stored to "[^"]+"\nerror: Edit cancelled, no valid changes were saved\.\n$/);
    expect(seen).to.have.length(2);
    expect(seen[1]).to.match(/\n# The edited file had a syntax error: edited-file:\d+:\d+ /);
    // Text that looks like a comment but is a value has survived.
    expect(seen[1]).to.match(/note: \|\n {4}# no comment\n/);
    const copy = takeCopy(editor.path());
    expect(err).to.include(JSON.stringify(editor.path()));
    expect(copy).to.equal(seen[1]);
  });

  it('does not let an object become another one', async () => {
    const { code, err, editor } = await edit(['cm/settings'], substitute('name: settings', 'name: other'));
    expect(code).to.equal(1);
    expect(err).to.match(/\nerror: At least one of apiVersion, kind and name was changed\n$/);
    expect(takeCopy(editor.path())).to.include('name: other');
  });

  it('does not move an object to another namespace', async () => {
    const { code, err, editor } = await edit(
      ['cm/settings'],
      `sed -i '/^  namespace:/s/:.*/: default/' "$file"`,
    );
    expect(code).to.equal(1);
    expect(err).to.include('error: Edit cancelled, no valid changes were saved.');
    expect(err).to.include(`the namespace from the provided object "default" does not match the namespace`);
    takeCopy(editor.path());
  });

  it('edits several objects as a list and skips what was not touched', async () => {
    const { out, seen } = await edit(['cm/settings', 'deploy/web'], substitute('replicas: 2', 'replicas: 5'));
    expect(seen[0]).to.match(/\n#\napiVersion: v1\nitems:\n- apiVersion: v1\n/);
    expect(out).to.equal('configmap/settings skipped\ndeployment.apps/web edited\n');
  });

  it('does not send again what was taken before another object was refused', async () => {
    const { out, err } = await edit(
      ['cm/settings', 'deploy/web'],
      `${substitute('size: small', 'size: large')}; ${substitute('replicas: 2', 'replicas: -1')}`,
      substitute('replicas: -1', 'replicas: 1'),
    );
    expect(out).to.equal(
      'configmap/settings edited\nconfigmap/settings skipped\ndeployment.apps/web edited\n',
    );
    expect(err).to.equal('error: deployments.apps "web" is invalid\n');
  });

  it('edits JSON, in a file of that kind, and prints the object', async () => {
    const { out, seen, editor } = await edit(['cm/settings', '-o', 'json'], substitute('small', 'large'));
    expect(JSON.parse(seen[0] ?? '')).to.have.nested.property('data.size', 'small');
    expect(editor.path()).to.match(/\.json$/);
    expect(JSON.parse(out)).to.have.nested.property('data.size', 'large');
  });

  it('edits the live objects of a file', async () => {
    const editor = createScriptedEditor(world.folder, substitute('replicas: 4', 'replicas: 6'));
    await ctl(['scale', 'deploy/web', '--replicas=4']);
    const { out } = await ctl(['edit', '-f', '-'], { stdin: deployment, env: { EDITOR: editor.command } });
    expect(out).to.equal('deployment.apps/web edited\n');
    expect(await read('deploy/web', '.spec.replicas')).to.equal('6');
  });

  it('keeps what somebody else changes meanwhile', async () => {
    const editor = createScriptedEditor(world.folder, `${untilClosed}; ${substitute('small', 'large')}`);
    const editing = ctl(['edit', 'cm/settings'], { env: { EDITOR: editor.command } });
    const gate = await editor.untilOpen();
    await ctl(['label', 'cm', 'settings', 'by=other']);
    await gate.close();
    expect((await editing).out).to.equal('configmap/settings edited\n');
    expect(await read('cm/settings', '.metadata.labels.by')).to.equal('other');
  });

  it('keeps the edits of an object that is gone', async () => {
    const editor = createScriptedEditor(world.folder, `${untilClosed}; ${substitute('small', 'large')}`);
    const editing = ctl(['edit', 'cm/settings'], { env: { EDITOR: editor.command } });
    const gate = await editor.untilOpen();
    await ctl(['delete', 'cm', 'settings']);
    await gate.close();
    const { code, err } = await editing;
    const path = editor.path();
    expect({ code, err }).to.deep.equal({
      code: 1,
      err: `error: configmaps "settings" could not be found on the server\nThe edits you made on deleted resources have been saved to ${JSON.stringify(path)}\n`,
    });
    expect(takeCopy(path)).to.include('size: large');
  });

  it('proposes to replace an object that changed since the version in the file', async () => {
    const step = `${substitute('small', 'large')}; sed -i '/resourceVersion/s/: .*/: "1"/' "$file"`;
    const { code, err, editor } = await edit(['cm/settings'], step);
    expect(code).to.equal(1);
    expect(err).to.match(/^error: configmaps "settings" could not be patched: .*modified/);
    expect(err).to.include(`You can run \`ctl replace -f ${editor.path()}\` to try this update again.\n`);
    takeCopy(editor.path());
  });

  it('saves the configuration for apply', async () => {
    await edit(['cm/settings', '--save-config'], substitute('small', 'large'));
    expect((await ctl(['apply', 'view-last-applied', 'cm/settings'])).out).to.include('\n  size: large\n');
  });

  it('ends lines as Windows does, and reads them so', async () => {
    const step = substitute('small', 'large');
    const { out, seen } = await edit(['cm/settings', '--windows-line-endings'], step);
    expect(seen[0]?.replaceAll('\r\n', '')).to.not.include('\n');
    expect(out).to.equal('configmap/settings edited\n');
    expect(await read('cm/settings', '.data.note')).to.equal('# no comment\n');
  });

  it('passes arguments to the editor, quoted ones through the shell', async () => {
    for (const flags of ['--wait', `'--title=my file'`]) {
      const editor = createScriptedEditor(world.folder, 'printf %s "$1" > "$0.flag"');
      await ctl(['edit', 'cm/settings'], {
        env: { ORCH_EDITOR: `${editor.command} ${flags}`, EDITOR: 'false', SHELL: '/bin/sh' },
      });
      expect(readFileSync(`${editor.command}.flag`, 'utf8')).to.equal(flags.replaceAll("'", ''));
    }
  });

  it('says so when the editor is missing or fails', async () => {
    const missing = await ctl(['edit', 'cm/settings'], { env: { EDITOR: '/no/such/editor' } });
    expect(missing.err).to.equal('error: unable to launch the editor "/no/such/editor"\n');
    const { code, err } = await edit(['cm/settings'], 'exit 3');
    expect(code).to.equal(1);
    expect(err).to.match(/^error: there was a problem with the editor "/);
  });

  it('opens no editor for objects that are not there', async () => {
    expect((await edit(['cm/none'])).err).to.equal(
      'Error from server (NotFound): configmaps "none" not found\n',
    );
    const { code, err, seen } = await edit(['ingress']);
    expect({ code, err, seen }).to.deep.equal({
      code: 1,
      err: 'error: edit cancelled, no objects found\n',
      seen: [],
    });
  });
});
