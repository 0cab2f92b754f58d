import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import {
  type ManifestDecoder,
  type PodSource,
  startUrlSource,
} from '../../../../src/nodeagent/sources/index.ts';
import { eventually } from '../../../support/eventually.ts';
import { freePort } from '../../../support/free-ports.ts';
import { createRecordingLogger, type RecordingLogger } from '../../../support/recording-logger.ts';
import { ManualClock } from '../../storage/manual-clock.ts';
import { RecordedEvents } from '../images/fake-images.ts';
import { manifest, namesOf, nodeDecoder } from './manifests.ts';
import { RecordedPods } from './recorded-pods.ts';

const frequencyMs = 20_000;

describe('startUrlSource', () => {
  let decoder: ManifestDecoder;
  let server: Server;
  let url: string;
  /** What the server answers. */
  let answer: { status: number; body: string; headers?: Record<string, string> };
  let asked: { url: string | undefined; headers: IncomingHttpHeaders }[];
  let pods: RecordedPods;
  let logger: RecordingLogger;
  let clock: ManualClock;
  let source: PodSource | undefined;
  const events = new RecordedEvents();

  const handle: RequestListener = (request, response) => {
    asked.push({ url: request.url, headers: request.headers });
    response.writeHead(answer.status, answer.headers).end(answer.body);
  };
  before(async () => {
    decoder = await nodeDecoder();
  });
  beforeEach(async () => {
    asked = [];
    pods = new RecordedPods();
    logger = createRecordingLogger();
    clock = new ManualClock();
    server = createServer(handle).listen(await freePort(), '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/pods`; // a TCP server has such an address
  });
  afterEach(async () => {
    await source?.[Symbol.asyncDispose]();
    source = undefined;
    server.close();
  });

  const start = async (headers: Record<string, string[]> = {}): Promise<void> => {
    const { onPods } = pods;
    source = startUrlSource({ url, headers, frequencyMs, decoder, onPods, events, clock, logger });
    await source.whenRead;
  };
  /** Lets the source ask once more. */
  const askAgain = async (): Promise<void> => {
    await resting();
    clock.advance(frequencyMs);
    await resting();
  };
  const resting = (): Promise<true> => eventually(async () => (clock.timerCount === 1 ? true : undefined));
  const errors = (): string[] =>
    logger.lines.map(({ message, fields }) => `${message}: ${String(fields.error ?? '')}`);
  const list = (...names: string[]): string =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'PodList',
      items: names.map((name) => ({
        metadata: { name },
        spec: { containers: [{ name: 'c', image: 'i' }] },
      })),
    });

  it('takes a pod, a list of pods, and their changes', async () => {
    answer = { status: 200, body: manifest('a') };
    await start();
    expect(namesOf(pods.last)).to.deep.equal(['a-node1']);
    answer = { status: 200, body: list('a', 'b') };
    await askAgain();
    expect(namesOf(pods.last)).to.deep.equal(['a-node1', 'b-node1']);
  });

  it('hands nothing over again when nothing changed', async () => {
    answer = { status: 200, body: manifest('a') };
    await start();
    await askAgain();
    expect(asked).to.have.length(2);
    expect(pods.sets).to.have.length(1);
  });

  it('leaves out a pod with the name of one before it, and says so about that pod', async () => {
    answer = { status: 200, body: list('a', 'b', 'a') };
    await start();
    expect(namesOf(pods.last)).to.deep.equal(['a-node1', 'b-node1']);
    const [event] = events.all;
    const uid = event?.about.kind === 'pod' ? event.about.pod.metadata.uid : undefined;
    expect(events.take()).to.deep.equal([
      `Warning FailedValidation Error validating pod a-node1_default(${uid}) from http due to duplicate pod name "a-node1", ignoring`,
    ]);
    expect(errors()).to.deep.equal(['pod ignored: duplicate name or UID: ']);
  });

  it('sends the given headers, values in order', async () => {
    answer = { status: 200, body: manifest('a') };
    await start({ 'X-Token': ['one', 'two'] });
    expect(asked[0]?.headers['x-token']).to.equal('one, two');
  });

  const failures: readonly [about: string, status: number, body: string, error: RegExp][] = [
    ['404', 404, '', /: 404 Not Found$/],
    [
      'content that is no pod',
      200,
      'hello: [',
      /: received 'hello: \[', but couldn't parse as single or multiple pods \(yaml: /,
    ],
    [
      'a list with one invalid pod',
      200,
      list('b', 'Bad_One'),
      /: invalid pod: \[metadata\.name: Invalid value: "Bad_One-node1"/,
    ],
    ['an answer that is too large', 200, ' '.repeat(10 * 1024 * 1024 + 1), /: the read limit is reached$/],
  ];
  for (const [about, status, body, error] of failures) {
    it(`keeps its pods after ${about}`, async () => {
      answer = { status: 200, body: manifest('a') };
      await start();
      answer = { status, body };
      await askAgain();
      expect(namesOf(pods.last)).to.deep.equal(['a-node1']);
      expect(errors()).to.have.length(1);
      expect(errors()[0]).to.match(error);
    });
  }

  it('removes its pods after an empty answer, and takes them back', async () => {
    answer = { status: 200, body: manifest('a') };
    await start();
    answer = { status: 200, body: '' };
    await askAgain();
    expect(pods.last).to.deep.equal([]);
    expect(errors()).to.deep.equal([`failed to read pods from URL: zero-length data received from ${url}`]);
    answer = { status: 200, body: manifest('a') };
    await askAgain();
    expect(namesOf(pods.last)).to.deep.equal(['a-node1']);
    expect(errors().at(-1)).to.equal('manifest URL read: ');
  });

  it('goes quiet after some failures in a row', async () => {
    answer = { status: 500, body: 'broken' };
    await start();
    for (let failed = 0; failed < 6; failed++) await askAgain();
    expect(errors()).to.have.length(4);
    expect(errors()[3]).to.match(
      /^failed to read pods from URL; further failures are logged for debugging only: /,
    );
  });

  it('goes on when nobody answers', async () => {
    const { port } = server.address() as AddressInfo; // as above
    await new Promise((resolve) => server.close(resolve));
    await start();
    expect(pods.sets).to.deep.equal([]);
    answer = { status: 200, body: manifest('a') };
    server = createServer(handle).listen(port, '127.0.0.1');
    await once(server, 'listening');
    await askAgain();
    expect(namesOf(pods.last)).to.deep.equal(['a-node1']);
  });

  it('follows redirects, without secrets to another host', async () => {
    const other = createServer((request, response) => {
      asked.push({ url: request.url, headers: request.headers });
      response.end(manifest('a'));
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo; // as above
    answer = { status: 302, body: '', headers: { location: `http://127.0.0.1:${port}/moved` } };
    await start({ Authorization: ['Bearer secret'], 'X-Other': ['1'] });
    other.close();
    expect(namesOf(pods.last)).to.deep.equal(['a-node1']);
    expect(
      asked.map(({ url: path, headers }) => [path, headers.authorization, headers['x-other']]),
    ).to.deep.equal([
      ['/pods', 'Bearer secret', '1'],
      ['/moved', undefined, '1'],
    ]);
  });

  it('does not follow redirects for ever', async () => {
    answer = { status: 302, body: '', headers: { location: '/pods' } };
    await start();
    expect(errors()).to.deep.equal(['failed to read pods from URL: stopped after 10 redirects']);
  });

  for (const wrong of ['no url', 'file:///etc/passwd']) {
    it(`reports ${wrong}`, async () => {
      url = wrong;
      await start();
      expect(errors()).to.have.length(1);
    });
  }

  it('gives up a question when it is disposed of', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`; // as above
    const { onPods } = pods;
    source = startUrlSource({ url, headers: {}, frequencyMs, decoder, onPods, events, clock, logger });
    await once(silent, 'connection');
    await source[Symbol.asyncDispose]();
    silent.close();
    expect(errors()).to.deep.equal([]);
  });
});
