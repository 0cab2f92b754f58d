import { once } from 'node:events';
import { type IncomingMessage, request as startRequest } from 'node:http';
import { Agent } from 'node:https';
import { connect } from 'node:tls';
import { expect } from 'chai';
import { load } from 'js-yaml';
import { after, before, describe, it } from 'mocha';
import { createTypeCatalog } from '../../../src/apis/catalog.ts';
import { createProtobufCompiler, decodeEnvelope } from '../../../src/machinery/codec/protobuf/index.ts';
import { orchDialect } from '../../../src/machinery/dialect.ts';
import { configMap, inNamespace } from '../../support/objects.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';
import { type HostileRequest, mutateRequest } from './hostile/mutate-request.ts';
import { presentObjects, seedRequests } from './hostile/seed-requests.ts';
import { SeededRandom } from './hostile/seeded-random.ts';

const requestCount = 10_000;
const connections = 24;
/** Longer than any answer takes, with room for versions that the server waits for. */
const hangMs = 20_000;

/** Answers of 500 and above that the reference gives too. */
const expectedFailures: readonly { readonly code: number; readonly message: RegExp }[] = [
  { code: 500, message: /strconv\.ParseUint: parsing / }, // versions that are no numbers
  { code: 500, message: /^resourceVersion should not be set on objects to be created$/ },
  {
    code: 500,
    message: /^The POST operation against .* could not be completed at this time, please try again\.$/,
  },
  { code: 500, message: /^target\.(name|kind): / }, // a binding to nothing, or to what is no node
  // Strategic merge patches with directives of the wrong shape.
  { code: 500, message: /^unknown patch type: / },
  { code: 500, message: /^expected a .*, but received a / },
  { code: 500, message: /^map: .* does not contain declared merge key: / },
  { code: 500, message: /^list element types are not identical: / },
  // Configurations that do not fit their type, or whose type is not that of the path.
  {
    code: 500,
    message: /^failed to (create typed patch object|merge config|convert new object to proper version): /,
  },
  { code: 500, message: /^Invalid JSON Patch$/ }, // a merge patch that is none
  { code: 504, message: /^Timeout: Too large resource version: / }, // versions that have not happened
  { code: 504, message: /^Timeout: request did not complete within requested timeout / }, // writes that have no time
];

const statusKind = { group: '', version: 'v1', kind: 'Status' };
const statusMessage = createProtobufCompiler(createTypeCatalog(orchDialect)).kind(statusKind);

interface Answer {
  readonly code: number;
  readonly type: string;
  readonly body: Buffer;
}

describe('a server under hostile input', () => {
  const logger = createRecordingLogger();
  const warnings: string[] = [];
  const onWarning = (warning: Error): void => void warnings.push(`${warning.name}: ${warning.message}`);
  let server: TestServer;
  let agent: Agent;
  before(async () => {
    process.on('warning', onWarning);
    server = await startTestServer({ logger });
    const { authorityPem: ca, adminCertificatePem: cert, adminKeyPem: key } = server.server;
    agent = new Agent({ keepAlive: true, maxSockets: connections, ca, cert, key });
    for (const { method, path, body } of presentObjects) await server.admin.expect(method, path, { body });
  });
  after(async () => {
    agent.destroy();
    await server.stop();
    process.off('warning', onWarning);
  });

  const send = (hostile: HostileRequest): Promise<Answer> => {
    const { hostname, port } = new URL(server.server.url);
    const { method, target: path, body } = hostile;
    const length = body === undefined ? {} : { 'content-length': body.length };
    const headers = { ...hostile.headers, ...length };
    return new Promise((resolve, reject) => {
      const sent = startRequest({ protocol: 'https:', hostname, port, agent, method, path, headers });
      sent.setTimeout(hangMs, () => sent.destroy(new Error('no answer: the request hangs')));
      sent.on('error', reject);
      sent.on('response', (answer) => readAnswer(answer, hostile).then(resolve, reject));
      sent.end(body);
    });
  };

  it(`answers each of ${requestCount} mutated requests and stays well`, async function () {
    this.timeout(600_000);
    const random = new SeededRandom(20_210_203);
    const problems: string[] = [];
    const codes = new Map<number, number>();
    let next = 0;
    const work = async (): Promise<void> => {
      while (next++ < requestCount && problems.length < 20) {
        const hostile = mutateRequest(random.pick(seedRequests), random);
        const answer = await send(hostile).catch((error: unknown) => String(error));
        const problem = typeof answer === 'string' ? answer : problemOf(answer, hostile);
        if (problem !== undefined) problems.push(`${describeRequest(hostile)}\n    ${problem}`);
        if (typeof answer !== 'string') codes.set(answer.code, (codes.get(answer.code) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: connections }, work));
    if (problems.length > 0) expect.fail(problems.join('\n'));
    expect(logger.lines.filter(({ level }) => level === 'error')).to.deep.equal([]);
    expect(warnings, 'the runtime has something to say').to.deep.equal([]);
    // Mutations that only ever bounced off one check would test little.
    for (const code of [200, 201, 400, 404, 405, 406, 409, 415, 422]) {
      expect(codes.get(code) ?? 0, `answers with ${code}: ${JSON.stringify([...codes])}`).to.be.above(10);
    }
  });

  it('outlives requests that break off anywhere', async function () {
    this.timeout(300_000);
    const random = new SeededRandom(7);
    const { url, authorityPem: ca, adminCertificatePem: cert, adminKeyPem: key } = server.server;
    const breakOff = async (): Promise<void> => {
      const hostile = mutateRequest(random.pick(seedRequests), random);
      const bytes = encode(hostile);
      const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), ca, cert, key });
      socket.on('error', () => {});
      socket.resume();
      await once(socket, 'secureConnect');
      socket.write(bytes.subarray(0, random.below(bytes.length)));
      if (random.happens(0.5)) socket.destroy();
      else socket.end();
      if (!socket.closed) await once(socket, 'close');
    };
    for (let round = 0; round < 25; round++) await Promise.all(Array.from({ length: 8 }, breakOff));
    expect((await server.admin.get('/readyz')).text).to.equal('ok');
    expect(logger.lines.filter(({ level }) => level === 'error')).to.deep.equal([]);
  });

  it('lets no key of a body reach a prototype', () => {
    for (const value of [{}, [], '', () => {}] as object[]) {
      expect(value).to.not.have.property('polluted');
      expect(value).to.not.have.property('isAdmin');
    }
    expect(Object.keys(Object.prototype)).to.be.empty;
  });

  it('serves right requests as before', async () => {
    expect((await server.admin.get('/readyz')).text).to.equal('ok');
    const maps = inNamespace('default', 'configmaps');
    await server.admin.create(maps, configMap('afterwards', { a: '1' }));
    expect((await server.admin.get(`${maps}/afterwards`)).body.data).to.deep.equal({ a: '1' });
    const { items } = (await server.admin.get('/api/v1/configmaps')).body;
    expect(items.length).to.be.above(2);
  });
});

/** A request as it stands on an HTTP/1.1 connection. */
function encode({ method, target, headers, body }: HostileRequest): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = body === undefined ? '' : `content-length: ${body.length}\r\n`;
  const head = `${method} ${target} HTTP/1.1\r\nhost: x\r\n${lines.join('')}${length}\r\n`;
  return Buffer.concat([Buffer.from(head), body ?? Buffer.alloc(0)]);
}

/** Reads an answer; a stream that would go on is left at its start. */
async function readAnswer(answer: IncomingMessage, { target }: HostileRequest): Promise<Answer> {
  const code = answer.statusCode ?? 0;
  const type = answer.headers['content-type'] ?? '';
  if (code === 200 && answer.headers['content-length'] === undefined && target.includes('watch')) {
    answer.destroy();
    return { code, type, body: Buffer.alloc(0) };
  }
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer); // no encoding is set, so chunks are bytes
  return { code, type, body: Buffer.concat(chunks) };
}

function problemOf({ code, type, body }: Answer, { method, body: sent }: HostileRequest): string | undefined {
  if (code >= 200 && code < 300) return undefined;
  if (method === 'HEAD') return undefined; // no body says what it is; the log does when nobody expected it
  const text = body.toString();
  if (code === 404 && (text === '404 page not found\n' || text.startsWith('{\n  "paths": [')))
    return undefined;
  if (code === 400 && text === '400 Bad Request') return undefined; // escapes of the target are broken
  if (code === 500 && /^Internal Server Error: ".*": failed to create RequestInfo: /.test(text))
    return undefined;
  const status = parse(body, type);
  if (status?.kind !== 'Status' || status.code !== code || status.status !== 'Failure') {
    return `${code} without a Status: ${type} ${text.slice(0, 300)}`;
  }
  const message = String(status.message ?? '');
  if (code < 500 && code >= 400) return undefined;
  // Options of a deletion that cannot be read are what the decoder says, without a reason.
  if (code === 500 && method === 'DELETE' && sent !== undefined && status.reason === undefined)
    return undefined;
  const isExpected = expectedFailures.some((known) => known.code === code && known.message.test(message));
  return isExpected ? undefined : `${code}: ${message.slice(0, 300)}`;
}

/** A Status in the encoding that the client asked for. */
function parse(body: Buffer, type: string): Record<string, unknown> | undefined {
  try {
    if (type === orchDialect.protobufMediaType) {
      const envelope = decodeEnvelope(body);
      return statusMessage.decode(envelope.raw, envelope);
    }
    const text = body.toString();
    // Only its members are looked at.
    return (type === 'application/yaml' ? load(text) : JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function describeRequest({ method, target, headers, body }: HostileRequest): string {
  const shown = body === undefined ? '' : ` ${body.length} bytes: ${body.subarray(0, 400)}`;
  return `${method} ${target.slice(0, 300)} ${JSON.stringify(headers).slice(0, 200)}${shown}`;
}
