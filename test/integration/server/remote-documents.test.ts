import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createSystemSlices } from '../../../src/base/index.ts';
import { type RemoteApi, RemoteClient, RemoteDocuments } from '../../../src/server/aggregation/index.ts';
import { createRecordingLogger, type RecordingLogger } from '../../support/recording-logger.ts';
import { type AnswerCall, WebhookServer } from '../../support/webhook-server.ts';

const path = '/apis/docs.example.com/v1/things';
const documentOf = (description: string) => ({
  swagger: '2.0',
  paths: { [path]: { get: { description, responses: { 200: { description: 'OK' } } } } },
});

const api: RemoteApi = {
  name: 'v1.docs.example.com',
  group: 'docs.example.com',
  version: 'v1',
  groupPriorityMinimum: 100,
  versionPriority: 10,
  service: { namespace: 'default', name: 'docs', port: 443 },
  isUnverified: true,
  authorities: undefined,
  isAvailable: true,
};

describe('RemoteDocuments', () => {
  let server: WebhookServer;
  let client: RemoteClient;
  let documents: RemoteDocuments;
  let logger: RecordingLogger;
  let registered: RemoteApi[];
  let nowMs: number;
  let gone: AbortController;
  beforeEach(async () => {
    server = await WebhookServer.start((_call, response) => response.writeHead(404).end());
    client = new RemoteClient({
      resolveService: () => ({ host: '127.0.0.1', port: server.port }),
      clientPair: undefined,
    });
    registered = [api];
    nowMs = 0;
    gone = new AbortController();
    logger = createRecordingLogger();
    const slices = createSystemSlices();
    documents = new RemoteDocuments({
      apis: { list: () => registered, revision: 1 },
      client,
      user: 'aggregator',
      nowMs: () => nowMs,
      beginSlice: () => slices.begin(1),
      logger,
    });
  });
  afterEach(async () => {
    gone.abort();
    client[Symbol.dispose]();
    await server[Symbol.asyncDispose]();
  });

  /** Answers requests for the OpenAPI 2 document, and that there is no other. */
  const answerV2 = (answer: AnswerCall): void => {
    server.answer = (call, response) => {
      if (call.url === '/openapi/v2') answer(call, response);
      else response.writeHead(404).end();
    };
  };
  const urls = (): readonly string[] => server.calls.map(({ url }) => url);
  const refreshAt = (atMs: number): Promise<void> => {
    nowMs = atMs;
    return documents.refresh(api, gone.signal);
  };
  const shown = (): unknown => {
    const text = documents.sources()[0]?.fragment?.paths.get(path);
    return text === undefined ? undefined : JSON.parse(text).get.description;
  };
  const failures = (): number =>
    logger.lines.filter(({ message }) => message.includes('was not read')).length;
  it('asks as the aggregator, and knows nothing before', async () => {
    answerV2((_call, response) => response.end(JSON.stringify(documentOf('first'))));
    expect(shown()).to.equal(undefined);
    const before = documents.revision;
    await refreshAt(0);
    expect(shown()).to.equal('first');
    expect(documents.revision).not.to.equal(before);
    expect(server.calls[0]?.headers).to.include({
      'x-remote-user': 'aggregator',
      'x-remote-group': 'system:masters',
      accept: 'application/json',
    });
  });

  it('asks again after a minute, and says which document it has', async () => {
    answerV2(({ headers }, response) => {
      if (headers['if-none-match'] === '"1"') response.writeHead(304).end();
      else response.setHeader('ETag', '"1"').end(gzipSync(JSON.stringify(documentOf('first'))));
    });
    const plain = server.answer;
    server.answer = (call, response) => {
      response.setHeader('Content-Encoding', 'gzip');
      plain(call, response);
    };
    await refreshAt(0);
    expect(shown()).to.equal('first');
    const { revision } = documents;
    await refreshAt(59_999);
    expect(server.calls).to.have.length(2);
    await refreshAt(60_000);
    expect(server.calls[2]?.headers['if-none-match']).to.equal('"1"');
    expect(urls()).to.deep.equal(['/openapi/v2', '/openapi/v3', '/openapi/v2', '/openapi/v3']);
    expect([shown(), documents.revision]).to.deep.equal(['first', revision]);
    answerV2((_call, response) =>
      response.setHeader('ETag', '"2"').end(JSON.stringify(documentOf('second'))),
    );
    await refreshAt(200_000);
    expect(shown()).to.equal('second');
  });

  it('forgets what is not registered any more, or leads elsewhere', async () => {
    answerV2((_call, response) => response.end(JSON.stringify(documentOf('first'))));
    await refreshAt(0);
    expect(shown()).to.equal('first');
    registered = [{ ...api, service: { ...api.service, name: 'other' } }];
    expect(documents.sources()).to.have.length(1);
    expect(shown()).to.equal(undefined);
    registered = [];
    expect(documents.sources()).to.deep.equal([]);
  });

  it('keeps what it knows when a server has a document no more only until the server says so', async () => {
    answerV2((_call, response) => response.end(JSON.stringify(documentOf('first'))));
    await refreshAt(0);
    expect(shown()).to.equal('first');
    answerV2((_call, response) => response.writeHead(500).end());
    await refreshAt(60_000);
    expect([failures(), shown()]).to.deep.equal([1, 'first']);
    answerV2((_call, response) => response.writeHead(404).end());
    await refreshAt(65_000);
    expect(shown()).to.equal(undefined);
  });

  const bad: Readonly<Record<string, AnswerCall>> = {
    'a failure': (_call, response) => response.writeHead(500).end(),
    'a redirect': (_call, response) => response.writeHead(302, { location: '/elsewhere' }).end(),
    'what is no JSON': (_call, response) => response.end('{"paths": nonsense'),
    'an answer that breaks off': (_call, response) => {
      response.writeHead(200, { 'content-length': 1000 });
      response.write('{"paths":');
      setImmediate(() => response.destroy());
    },
    'an answer without an end': (_call, response) => {
      const piece = Buffer.alloc(2 ** 20, ' ');
      const write = () => {
        while (!response.destroyed && response.write(piece));
      };
      response.on('drain', write);
      write();
    },
    'more than is read, packed small': (_call, response) =>
      response.setHeader('Content-Encoding', 'gzip').end(gzipSync(Buffer.alloc(40 * 2 ** 20, ' '))),
    'what was never packed': (_call, response) => response.setHeader('Content-Encoding', 'gzip').end('{}'),
    'a document that is nested without end': (_call, response) =>
      response.end(`{"definitions":{"A":${'['.repeat(100_000)}`),
  };
  for (const [what, answer] of Object.entries(bad)) {
    it(`waits longer each time after ${what}`, async () => {
      answerV2(answer);
      const calls = () => urls().filter((url) => url === '/openapi/v2').length;
      let atMs = 0;
      for (const [round, delayMs] of [5000, 10_000, 20_000].entries()) {
        await refreshAt(atMs);
        await refreshAt(atMs + delayMs - 1);
        expect([calls(), failures()]).to.deep.equal([round + 1, round + 1]);
        atMs += delayMs;
      }
      expect(shown()).to.equal(undefined);
    });
  }

  it('gives up when the registration goes, and says nothing of it', async () => {
    answerV2(() => gone.abort());
    await refreshAt(0);
    expect([shown(), failures()]).to.deep.equal([undefined, 0]);
  });

  describe('in OpenAPI 3', () => {
    const index = (url: unknown) => ({ paths: { 'apis/docs.example.com/v1': { serverRelativeURL: url } } });
    const serve = (url: unknown, document: string): void => {
      server.answer = (call, response) => {
        if (call.url === '/openapi/v3') response.end(JSON.stringify(index(url)));
        else if (call.url === url) response.end(document);
        else response.writeHead(404).end();
      };
    };

    it('has the document that the index names, until the index names another', async () => {
      serve('/openapi/v3/apis/docs.example.com/v1?hash=1', '{"openapi":"3.0.0"}');
      await refreshAt(0);
      const first = documents.sources()[0]?.v3?.etag;
      expect(first).to.match(/^"[0-9A-F]{128}"$/);
      await refreshAt(60_000);
      expect(urls().slice(3)).to.deep.equal(['/openapi/v2', '/openapi/v3']);
      serve('/openapi/v3/apis/docs.example.com/v1?hash=2', '{"openapi":"3.0.1"}');
      await refreshAt(120_000);
      expect(documents.sources()[0]?.v3?.etag).to.not.be.oneOf([first, undefined]);
    });

    for (const [url, document] of [
      ['https://example.com/openapi/v3/x', '{}'],
      ['/elsewhere', '{}'],
      ['/openapi/v3/a b', '{}'],
      [5, '{}'],
    ] as const) {
      it(`reads nothing at ${url}`, async () => {
        serve(url, document);
        await refreshAt(0);
        await refreshAt(60_000);
        expect(urls()).to.deep.equal(['/openapi/v2', '/openapi/v3', '/openapi/v2', '/openapi/v3']);
        expect(documents.sources()[0]?.v3).to.equal(undefined);
      });
    }

    for (const document of ['[]', 'nonsense', `{"a":"${'x'.repeat(4 * 2 ** 20)}"}`]) {
      it(`refuses ${document.slice(0, 10)}`, async () => {
        serve('/openapi/v3/x', document);
        await refreshAt(0);
        expect(failures()).to.equal(1);
        expect(documents.sources()[0]?.v3).to.equal(undefined);
      });
    }
  });
});
