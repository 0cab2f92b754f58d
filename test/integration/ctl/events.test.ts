import { expect } from 'chai';
import { type CtlServer, startCtlServer } from './support/ctl-server.ts';

describe('ctl events', () => {
  let server: CtlServer;
  const ctl = (line: string, stdin?: string) =>
    server.ctl(line.split(' '), stdin === undefined ? {} : { stdin });
  before(async () => {
    server = await startCtlServer(['--controllers=none']);
    const event = (name: string, about: string, agoMs: number, more: object = {}) => {
      const time = new Date(Date.now() - agoMs).toISOString().replace(/\.\d+/, '');
      return {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name, namespace: 'default' },
        involvedObject: { apiVersion: 'v1', kind: 'Pod', name: about, namespace: 'default' },
        type: 'Normal',
        reason: name.toUpperCase(),
        message: `${name} happened\n`,
        firstTimestamp: time,
        lastTimestamp: time,
        ...more,
      };
    };
    const items = [
      event('late', 'one', 60_000, { type: 'Warning' }),
      event('early', 'one', 600_000),
      event('middle', 'two', 300_000),
    ];
    const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
    expect((await ctl('create -f -', list)).err).to.equal('');
  });
  after(() => server.stop());

  it('shows what happened, the newest last', async () => {
    const { code, out, err } = await ctl('events');
    expect([code, err]).to.deep.equal([0, '']);
    const rows = out.trimEnd().split('\n');
    expect(rows[0]).to.match(/^LAST SEEN +TYPE +REASON +OBJECT +MESSAGE$/);
    expect(rows.slice(1).map((row) => row.split(/ {2,}/).slice(1))).to.deep.equal([
      ['Normal', 'EARLY', 'Pod/one', 'early happened'],
      ['Normal', 'MIDDLE', 'Pod/two', 'middle happened'],
      ['Warning', 'LATE', 'Pod/one', 'late happened'],
    ]);
  });

  it('shows those about an object, or of a type', async () => {
    const reasons = async (line: string) =>
      (await ctl(`events --no-headers ${line}`)).out.match(/[A-Z]{4,}/g);
    expect(await reasons('--for=pod/one')).to.deep.equal(['EARLY', 'LATE']);
    expect(await reasons('--for=po/one --types=warning')).to.deep.equal(['LATE']);
    expect((await ctl('events -A --no-headers')).out).to.match(/^default +10m +Normal +EARLY/);
    const { items } = JSON.parse((await ctl('events -o json --types=Normal')).out);
    expect(items.map(({ reason }: { reason: string }) => reason)).to.deep.equal(['EARLY', 'MIDDLE']);
  });

  it('goes on with those that come', async () => {
    const ending = new AbortController();
    let shown = '';
    const watching = server.ctl(['events', '-w', '--types=Warning'], {
      signal: ending.signal,
      onPrint(text) {
        shown += text;
        if (/SOON/.test(shown)) ending.abort();
        else if (/LATE/.test(shown)) void create();
      },
    });
    const create = () =>
      ctl(
        'create -f -',
        JSON.stringify({
          apiVersion: 'v1',
          kind: 'Event',
          metadata: { name: 'soon', namespace: 'default' },
          involvedObject: { kind: 'Node', name: 'n' },
          type: 'Warning',
          reason: 'SOON',
          message: 'now',
        }),
      );
    await watching;
    expect(shown.match(/[A-Z]{4,}/g)).to.deep.equal([
      'LAST',
      'SEEN',
      'TYPE',
      'REASON',
      'OBJECT',
      'MESSAGE',
      'LATE',
      'SOON',
    ]);
    expect((await ctl('delete event soon')).code).to.equal(0);
  });

  it('says that there are none, and what makes no sense', async () => {
    expect(await ctl('events --for=pod/three')).to.deep.equal({
      code: 0,
      out: '',
      err: 'No events found in default namespace.\n',
    });
    expect((await ctl('events pod/one')).err).to.include('name an object by --for=TYPE/NAME');
    for (const about of ['pod', 'pod/', 'pod/a/b'])
      expect((await ctl(`events --for=${about}`)).err).to.include('must be in resource/name form');
    expect((await ctl('events --for=pds/a')).err).to.include(
      'the server doesn\'t have a resource type "pds"',
    );
  });
});
