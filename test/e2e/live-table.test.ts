import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { type CtlServer, startCtlServer } from '../integration/ctl/support/ctl-server.ts';
import { Terminal } from '../support/terminal.ts';
import { FakeApi, failure, podTable } from '../unit/ctl/support/fake-api.ts';

const root = join(import.meta.dirname, '../..');
const interruptKey = '\u0003';

describe('get --watch on a terminal', function () {
  this.timeout(120_000);
  let server: CtlServer;
  let terminal: Terminal | undefined;
  before(async function () {
    if (!Terminal.isAvailable()) return process.env.CI ? expect.fail('script is missing') : this.skip();
    server = await startCtlServer(['--controllers=none']);
    for (const name of ['one', 'two']) await ctl('create', 'cm', name);
  });
  after(async () => server?.stop());
  afterEach(() => terminal?.close());

  const ctl = async (...argv: string[]) => {
    const { code, err } = await server.ctl(argv);
    expect([code, err], argv.join(' ')).to.deep.equal([0, '']);
  };
  /** Runs ctl in a shell that survives an interrupt and tells how ctl ended. */
  const open = (line: string, env: Readonly<Record<string, string>> = {}) => {
    terminal = Terminal.open({
      command: `sh -c 'trap : INT; bin/ctl ${line}; echo code=$?'`,
      cwd: root,
      env: {
        PATH: process.env.PATH ?? '',
        HOME: server.folder,
        ORCHCONFIG: join(server.folder, 'config'),
        LANG: 'C.UTF-8',
        ...env,
      },
    });
    return terminal;
  };
  const csi = (codes: string, end = 'm') => `\\u001b\\[${codes}${end}`;
  /** What ends a picture: the cursor comes back. */
  const drawn = csi('\\?25', 'h');
  /** Lines from the last time that the screen was emptied on, without what colours them. */
  const lastPicture = ({ input, index, 0: { length } }: RegExpExecArray): readonly string[] => {
    const text = input.slice(0, index + length);
    return text
      .slice(text.lastIndexOf('\u001b[2J'))
      .replaceAll(new RegExp(csi('[?\\d;]*', '[A-Za-z]'), 'g'), '')
      .replaceAll('\r', '')
      .split('\n')
      .filter((line) => line.trim() !== '');
  };

  it('changes rows in place, marks what changed and strikes out what went', async () => {
    const shown = open('get cm,secrets -w');
    await shown.type('', /NAME.*configmap\/one.*configmap\/two/s);
    await ctl('create', 'cm', 'three', '--from-literal=a=b');
    await shown.type('', new RegExp(`${csi('7')}configmap/three${csi('27')}`));
    await ctl('create', 'secret', 'generic', 'four');
    await shown.type('', /TYPE.*secret\/four/s);
    await ctl('delete', 'cm', 'three');
    await shown.type('', new RegExp(`${csi('2')}${csi('9')}configmap/three`));
    await shown.type('', /.\[J/s); // drawn once more, without it
    await shown.type(interruptKey, /code=130/);
    const last = shown.shown.slice(shown.shown.lastIndexOf('\u001b[?25l'));
    expect(last).to.include('\u001b[?25h');
  });

  it('knows its marks without colours too', async () => {
    const shown = open('get cm -w', { NO_COLOR: '1' });
    await shown.type('', /NAME.*one/s);
    await ctl('label', 'cm', 'one', 'seen=yes');
    await ctl('create', 'cm', 'five');
    await shown.type('', new RegExp(`${csi('4')}five${csi('24')}`));
    await ctl('delete', 'cm', 'five');
    await shown.type('', new RegExp(`${csi('9')}five${csi('29')}`));
    expect(shown.shown).to.not.match(new RegExp(csi('(1|2|7|3\\d)')));
  });

  it('gives wide characters the columns that they take', async () => {
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'wide' },
      involvedObject: { kind: 'ConfigMap', name: 'one' },
      message: '\u6f22\u5b57',
    };
    await writeFile(join(server.folder, 'event.json'), JSON.stringify(event));
    await ctl('create', '-f', join(server.folder, 'event.json'));
    await open('get events -w').type('', /configmap\/one +\u6f22\u5b57/);
  });

  it('goes on below after the return key', async () => {
    const shown = open('get cm -w');
    await shown.type('', /NAME.*one.*two/s);
    await shown.type('\r', /NAME.*one.*two/s);
  });

  it('fits a window that becomes smaller and larger again, with changes meanwhile', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `a-map-with-a-rather-long-name-${index + 10}`);
    for (const name of names) await ctl('create', 'cm', name);
    const shown = open('get cm,secrets -w');
    await shown.type('', /NAME.*long-name-10.*long-name-21.*configmap\/two/s);
    shown.resize({ rows: 8, columns: 30 });
    const small = await shown.type(
      '',
      new RegExp(`…\\r+\\n${csi('2', 'K')}\\.\\.\\. and \\d+ more.*?${drawn}`, 's'),
    );
    const lines = lastPicture(small);
    expect(lines.length).to.be.within(3, 7);
    for (const line of lines) expect(line.length, line).to.be.at.most(30);
    // What changes is in sight, however small that is.
    await ctl('label', 'cm', 'a-map-with-a-rather-long-name-21', 'seen=yes', '--overwrite');
    await ctl('create', 'cm', 'last');
    await shown.type('', new RegExp(`${csi('7')}configmap/last${csi('27')}`));
    shown.resize({ rows: 40, columns: 100 });
    const large = lastPicture(await shown.type('', new RegExp(`long-name-21.*?${drawn}`, 's')));
    expect(large.filter((line) => line.startsWith('configmap/'))).to.have.length(names.length + 3);
    expect(large.join()).to.not.include('…').and.to.not.include('more');
    await shown.type(interruptKey, /code=130/);
    await ctl('delete', 'cm', 'last', ...names);
  });

  it('prints lines where the terminal cannot be drawn on, and with --output-watch-events', async () => {
    for (const [line, env] of [
      ['get cm -w', { TERM: 'dumb' }],
      ['get cm -w --output-watch-events', {}],
      ['get cm -w | cat', {}],
    ] as const) {
      const shown = open(line, env);
      await shown.type('', /NAME.*one.*two/s);
      expect(shown.shown).to.not.include('\u001b[?25l');
      shown.close();
    }
  });

  it('lists anew when the server forgot the version, and outlives failures', async () => {
    let lists = 0;
    const api = await FakeApi.start({
      'GET /api/v1/namespaces/default/pods': ({ query }) => {
        if (query.get('watch') === 'true') {
          const gone = failure(410, 'Expired', 'too old resource version').body;
          return { lines: lists === 1 ? [{ type: 'ERROR', object: gone }] : [] };
        }
        lists++;
        if (lists === 1) return { body: podTable(['a', '0/1'], ['b', '0/1'], ['\u001b[2Jc', '0/1']) };
        if (lists === 2) return failure(503, 'ServiceUnavailable', 'starting \u001b[2J');
        return { body: podTable(['b', '1/1']) };
      },
    });
    try {
      const shown = open(`get pods -w -s ${api.url}`);
      await shown.type('', /\^\[\[2Jc.*a +0\/1.*b +0\/1/s);
      await shown.type('', /trying again: .*starting \^\[\[2J/);
      await shown.type('', new RegExp(`${csi('9')}a${csi('29')}`));
      expect(shown.shown).to.match(new RegExp(`${csi('7')}1/1${csi('27')}`));
      await shown.type(interruptKey, /code=130/);
      expect(shown.shown).to.not.include('\u001b[2J');
    } finally {
      await api.stop();
    }
  });

  it('ends with the failure that lasts, below the table', async () => {
    let watches = 0;
    const api = await FakeApi.start({
      'GET /api/v1/namespaces/default/pods': ({ query }) => {
        if (query.get('watch') !== 'true') return { body: podTable(['a', '0/1']) };
        return watches++ === 0 ? { lines: [] } : failure(403, 'Forbidden', 'pods is forbidden: no');
      },
    });
    try {
      await open(`get pods -w -s ${api.url}`).type('', /a +0\/1.*pods is forbidden: no.*code=1\b/s);
    } finally {
      await api.stop();
    }
  });
});
