import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { type CtlServer, startCtlServer } from './support/ctl-server.ts';

interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

describe('ctl proxy', () => {
  let server: CtlServer;
  let site: string;

  before(async () => {
    server = await startCtlServer(['--controllers=none']);
    site = join(server.folder, 'site');
    mkdirSync(site);
    writeFileSync(join(site, 'one.txt'), 'hi\n');
    symlinkSync('/etc/passwd', join(site, 'out'));
  });
  after(() => server.stop());

  /** A proxy that runs until the callback has ended. */
  async function withProxy<T>(
    flags: readonly string[],
    use: (ask: Ask, port: number) => Promise<T>,
  ): Promise<T> {
    const stop = new AbortController();
    const started = Promise.withResolvers<number>();
    const onPrint = (text: string) => {
      const port = /Starting to serve on .*:(\d+)/.exec(text)?.[1];
      if (port !== undefined) started.resolve(Number(port));
    };
    const ended = server.ctl(['proxy', '--port=0', ...flags], { signal: stop.signal, onPrint });
    ended.then(({ err }) => started.reject(new Error(err)));
    const port = await started.promise;
    try {
      return await use((path, options) => ask(port, path, options), port);
    } finally {
      stop.abort();
      expect((await ended).code).to.equal(0);
    }
  }

  it('passes requests and answers on, with credentials that the caller has not', () =>
    withProxy([], async (ask) => {
      const got = await ask('/api/v1/namespaces/default?pretty=true', {
        headers: { authorization: 'Bearer wrong', 'impersonate-user': 'x' },
      });
      expect(got.status).to.equal(200);
      expect(JSON.parse(got.text)).to.have.nested.property('metadata.name', 'default');
      const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } });
      const headers = { 'content-type': 'application/json' };
      expect(
        (await ask('/api/v1/namespaces/default/configmaps', { method: 'POST', headers, body })).status,
      ).to.equal(201);
      expect((await ask('/api/v1/nope')).status).to.equal(404);
    }));

  it('refuses other names, running commands in pods, and what it was told to refuse', () =>
    withProxy(['--reject-methods=^(POST|DELETE)$', '--accept-paths=^/(api|version)'], async (ask) => {
      const refused = { status: 403, text: 'Forbidden\n' };
      expect(await ask('/api', { headers: { host: 'evil.example' } })).to.deep.include(refused);
      expect(await ask('/api/v1/namespaces/default/pods/x/exec')).to.deep.include(refused);
      expect(await ask('/version', { method: 'POST' })).to.deep.include(refused);
      expect(await ask('/healthz')).to.deep.include(refused);
      // An API server takes an escaped letter for the letter.
      expect(await ask('/api/v1/namespaces/default/pods/x/%65xec')).to.deep.include(refused);
      expect((await ask('/api/%zz')).status).to.equal(400);
      expect((await ask('/version', { headers: { host: 'localhost:1' } })).status).to.equal(200);
    }));

  it('refuses what would become another protocol as it does requests', () =>
    withProxy([], async (_ask, port) => {
      const status = await new Promise((resolve, reject) => {
        const headers = { connection: 'Upgrade', upgrade: 'SPDY/3.1' };
        const path = '/api/v1/namespaces/default/pods/x/exec?command=id';
        http.get({ port, path, headers }, (answer) => resolve(answer.statusCode)).on('error', reject);
      });
      expect(status).to.equal(403);
    }));

  it('follows a watch', () =>
    withProxy([], async (_ask, port) => {
      const line = await new Promise<string>((resolve, reject) => {
        const request = http.get({ port, path: '/api/v1/namespaces?watch=true' }, (answer) => {
          answer.once('data', (data: Buffer) => {
            resolve(data.toString());
            request.destroy();
          });
        });
        request.on('error', reject);
      });
      expect(line).to.contain('"ADDED"');
    }));

  it('serves the API below a prefix, and the files of a folder, but none outside of it', () =>
    withProxy(['--api-prefix=/custom', '--www', site], async (ask) => {
      expect((await ask('/custom/version')).status).to.equal(200);
      expect(await ask('/version')).to.deep.include({ status: 404, text: '404 page not found\n' });
      const file = await ask('/static/one.txt');
      expect(file.text).to.equal('hi\n');
      expect(file.headers['content-type']).to.equal('text/plain; charset=utf-8');
      expect((await ask('/static/')).text).to.contain('<a href="one.txt">one.txt</a>');
      for (const path of ['/static/out', '/static/nope', '/static/%5c..%5cconfig']) {
        expect((await ask(path)).status, path).to.equal(404);
      }
      for (const path of ['/static/%2e%2e/config', '/static/../config', '/static/..%2fconfig'])
        expect((await ask(path)).headers, path).to.include({ location: '/config' });
    }));

  it('sends on to the straight path, as the client of release 1.20 does', () =>
    withProxy(['--api-prefix=/custom', '--www', site], async (ask) => {
      const ways = [
        ['//custom/version?a=b', '/custom/version?a=b'],
        ['/custom//version', '/custom/version'],
        ['/custom/./x/../version/', '/custom/version/'],
        ['/custom/a%2f%2fb%3Fc', '/custom/a/b%3Fc'],
        ['/%2e%2e/x', '/x'],
        ['/custom', '/custom/'],
        ['/static?a', '/static/?a'],
        ['/static//one.txt', '/static/one.txt'],
      ] as const;
      for (const [asked, straight] of ways) {
        const answer = await ask(asked);
        expect(answer.status, asked).to.equal(301);
        expect(answer.headers, asked).to.include({
          location: straight,
          'content-type': 'text/html; charset=utf-8',
        });
        expect(answer.text, asked).to.equal(`<a href="${straight}">Moved Permanently</a>.\n\n`);
      }
      expect(await ask('/custom', { method: 'POST' })).to.deep.include({ status: 301, text: '' });
      expect((await ask('/custom/version')).status).to.equal(200);
    }));

  it('says what keeps it from listening', async () => {
    await withProxy([], async (_ask, port) => {
      const { code, err } = await server.ctl(['proxy', `--port=${port}`]);
      expect(code).to.equal(1);
      expect(err).to.match(/^error: listen tcp 127\.0\.0\.1:\d+: /);
    });
    const { err } = await server.ctl(['proxy', '--accept-paths=(']);
    expect(err).to.contain('--accept-paths: "(" is no regular expression');
  });
});

type Ask = (path: string, options?: AskOptions) => Promise<Answer>;
interface AskOptions {
  readonly method?: string;
  readonly headers?: http.OutgoingHttpHeaders;
  readonly body?: string;
}

function ask(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body }: AskOptions = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request({ port, path, method, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => {
        text += chunk;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    });
    request.on('error', reject);
    request.end(body);
  });
}
