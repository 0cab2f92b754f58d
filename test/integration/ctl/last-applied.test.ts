import { expect } from 'chai';
import { createScriptedEditor, substitute } from '../../unit/ctl/support/scripted-editor.ts';
import { type CtlServer, startCtlServer } from './support/ctl-server.ts';

const map = (name: string, size: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, labels: {app: web}}\ndata: {size: ${size}}\n`;

describe('ctl apply and what was applied last', () => {
  let world: CtlServer;
  let namespace = '';
  let count = 0;
  before(async () => {
    world = await startCtlServer();
  });
  after(() => world.stop());
  beforeEach(async () => {
    namespace = `applied-${++count}`;
    await world.ctl(['create', 'ns', namespace]);
    await ctl(['apply', '-f', '-'], { stdin: map('a', 'small') });
  });
  afterEach(() => expect(world.leftovers()).to.deep.equal([]));

  const ctl: CtlServer['ctl'] = (argv, setting) => world.ctl([...argv, '-n', namespace], setting);
  const view = (...args: string[]) => ctl(['apply', 'view-last-applied', ...args]);
  const set = (stdin: string, ...flags: string[]) =>
    ctl(['apply', 'set-last-applied', '-f', '-', ...flags], { stdin });
  const sizeOf = async (name: string) => (await ctl(['get', 'cm', name, '-o', 'jsonpath={.data.size}'])).out;

  describe('view-last-applied', () => {
    const body = (name: string, size: string) =>
      `apiVersion: v1\ndata:\n  size: ${size}\nkind: ConfigMap\nmetadata:\n  annotations: {}\n  labels:\n    app: web\n  name: ${name}\n  namespace: ${namespace}\n`;

    it('shows the configuration, not what is', async () => {
      await ctl(['patch', 'cm', 'a', '-p', '{"data":{"size":"huge"}}']);
      expect(await view('cm/a')).to.deep.equal({ code: 0, out: body('a', 'small'), err: '' });
    });

    it('shows JSON with two blanks per level', async () => {
      const { out } = await view('cm', 'a', '-o', 'json');
      expect(out).to.match(/^\{\n {2}"apiVersion": "v1",\n {2}"data": \{\n {4}"size": "small"\n/);
      expect(out.endsWith('}\n')).to.equal(true);
    });

    it('keeps the digits of large numbers', async () => {
      const text = '{"big":9007199254740993}';
      const annotations = `{ctl.orch.io/last-applied-configuration: '${text}'}`;
      const stdin = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: big, annotations: ${annotations}}\n`;
      await ctl(['create', '-f', '-'], { stdin });
      expect((await view('cm/big')).out).to.equal('big: 9007199254740993\n');
      expect((await view('cm/big', '-o', 'json')).out).to.equal('{\n  "big": 9007199254740993\n}\n');
    });

    it('finds objects by file and by label', async () => {
      await ctl(['apply', '-f', '-'], { stdin: map('b', 'big') });
      const { out } = await ctl(['apply', 'view-last-applied', '-f', '-'], { stdin: map('b', 'other') });
      expect(out).to.equal(body('b', 'big'));
      expect((await view('cm', '-l', 'app=web')).out).to.equal(body('a', 'small') + body('b', 'big'));
    });

    it('passes objects over that apply does not know, unless they were named', async () => {
      expect(await view('cm', '--all')).to.deep.equal({ code: 0, out: body('a', 'small'), err: '' });
      expect(await view('cm', 'a', 'orch-root-ca.crt')).to.deep.equal({
        code: 1,
        out: '',
        err: 'error: no last-applied-configuration annotation found on resource: orch-root-ca.crt\n',
      });
    });

    it('refuses types alone, and other formats', async () => {
      expect((await view('cm')).err).to.match(/^error: resource\(s\) were provided, but no name, /);
      expect((await view('cm/a', '-o', 'wide')).err).to.equal(
        "error: Unexpected -o output mode: wide, the flag 'output' must be one of yaml|json\nSee 'ctl apply view-last-applied -h' for help and examples\n",
      );
    });
  });

  describe('set-last-applied', () => {
    it('changes the annotation and nothing else', async () => {
      expect(await set(map('a', 'large'))).to.deep.equal({
        code: 0,
        out: 'configmap/a configured\n',
        err: '',
      });
      expect(await sizeOf('a')).to.equal('small');
      expect((await view('cm/a')).out).to.include('size: large');
      expect((await set(map('a', 'large'))).out).to.equal('set-last-applied a: no changes required.\n');
    });

    it('lets apply remove what the file no longer has', async () => {
      await ctl(['patch', 'cm', 'a', '-p', '{"data":{"old":"x"}}']);
      await set(map('a', 'small').replace('{size: small}', '{size: small, old: x}'));
      await ctl(['apply', '-f', '-'], { stdin: map('a', 'small') });
      expect((await ctl(['get', 'cm', 'a', '-o', 'jsonpath={.data}'])).out).to.equal('{"size":"small"}');
    });

    it('adds the annotation only when asked', async () => {
      await ctl(['create', '-f', '-'], { stdin: map('b', 'small') });
      const { code, err } = await set(map('b', 'small'));
      expect({ code, err }).to.deep.equal({
        code: 1,
        err: 'error: no last-applied-configuration annotation found on resource: b, to create the annotation, run the command with --create-annotation\n',
      });
      expect((await set(map('b', 'small'), '--create-annotation')).out).to.equal('configmap/b configured\n');
      expect((await view('cm/b')).out).to.include('size: small');
    });

    it('changes nothing when one of the objects is missing', async () => {
      const { code, out, err } = await set(`${map('a', 'large')}---\n${map('none', 'x')}`);
      expect({ code, out }).to.deep.equal({ code: 1, out: '' });
      expect(err).to.include('configmaps "none" not found');
      expect((await view('cm/a')).out).to.include('size: small');
    });

    for (const [mode, note] of [
      ['client', 'dry run'],
      ['server', 'server dry run'],
    ]) {
      it(`rehearses on the ${mode}`, async () => {
        expect((await set(map('a', 'large'), `--dry-run=${mode}`)).out).to.equal(
          `configmap/a configured (${note})\n`,
        );
        expect((await view('cm/a')).out).to.include('size: small');
      });
    }

    it('needs a file', async () => {
      expect((await ctl(['apply', 'set-last-applied'])).err).to.include(
        'You must provide one or more resources by argument or filename.',
      );
    });
  });

  describe('edit-last-applied', () => {
    const edit = async (args: readonly string[], ...steps: readonly string[]) => {
      const editor = createScriptedEditor(world.folder, ...steps);
      const env = { EDITOR: editor.command };
      return { ...(await ctl(['apply', 'edit-last-applied', ...args], { env })), seen: editor.seen() };
    };

    it('opens the configuration and keeps what was made of it', async () => {
      const { code, out, err, seen } = await edit(['cm/a'], substitute('small', 'large'));
      expect({ code, out, err }).to.deep.equal({ code: 0, out: 'configmap/a edited\n', err: '' });
      expect(seen[0]).to.match(/^# Please edit the 'last-applied-configuration'[\s\S]*\n#\napiVersion: v1\n/);
      expect(seen[0]).to.not.include('uid');
      expect((await view('cm/a')).out).to.include('size: large');
      expect(await sizeOf('a')).to.equal('small');
    });

    it('edits several and skips what was not touched', async () => {
      await ctl(['apply', '-f', '-'], { stdin: map('b', 'big') });
      const { out, seen } = await edit(['cm', 'a', 'b'], substitute('big', 'huge'));
      expect(seen[0]).to.include('\nkind: List\n');
      expect(out).to.equal('configmap/a skipped\nconfigmap/b edited\n');
    });

    it('ends without a change when there is none', async () => {
      expect((await edit(['cm/a'], 'true')).err).to.equal('Edit cancelled, no changes made.\n');
    });

    it('says how to begin when nothing was applied', async () => {
      await ctl(['create', 'cm', 'plain']);
      const { code, err, seen } = await edit(['cm/plain']);
      expect({ code, seen }).to.deep.equal({ code: 1, seen: [] });
      expect(err).to.include('`ctl apply set-last-applied --create-annotation`');
    });
  });
});
