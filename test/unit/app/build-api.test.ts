import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { parseCidr } from '../../../src/apis/core/index.ts';
import { createApiModel } from '../../../src/app/api-model.ts';
import { type Api, type ApiSources, buildApi } from '../../../src/app/build-api.ts';
import { layerServeConfig } from '../../../src/config/serve/index.ts';
import { createDialect } from '../../../src/machinery/dialect.ts';
import { readSigningKey, tokenFileAuthenticator } from '../../../src/server/authentication/index.ts';
import type { Storage } from '../../../src/storage/index.ts';
import { openMemoryStorage } from '../../../src/storage/memory/index.ts';
import { openWatchCache, type WatchCache } from '../../../src/storage/watch-cache/index.ts';
import { makeExchange, type TestRequest } from '../../support/exchange.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';
import { ManualClock } from '../storage/manual-clock.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const signingKey = readSigningKey(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), 'test key');
const addresses = parseCidr('10.0.0.0/24');
if (addresses === undefined) throw new RangeError('the range is none');

/** The whole server but its listener, with storage in memory. */
class BuiltApi implements AsyncDisposable {
  readonly logger = createRecordingLogger();
  readonly api: Api;
  readonly storage: Storage;
  readonly watchCache: WatchCache;
  isStopping = false;

  constructor(storage: Storage, watchCache: WatchCache, sources: Pick<ApiSources, 'config' | 'model'>) {
    this.storage = storage;
    this.watchCache = watchCache;
    this.api = buildApi({
      ...sources,
      clock: new ManualClock(),
      logger: this.logger,
      storage,
      watchCache,
      addresses: addresses as NonNullable<typeof addresses>, // checked above
      fileAuthenticators: {
        proxies: [],
        clients: { authenticate: () => undefined },
        tokenFiles: [tokenFileAuthenticator('admin-token,admin,,system:masters\nalice-token,alice')],
        remote: [],
      },
      loopback: { authenticate: () => undefined },
      tokens: { issuer: 'https://issuer', audiences: ['https://issuer'], signingKey, keys: [signingKey] },
      fileAuthorizers: { abac: undefined, webhook: undefined },
      admissionFiles: { mutating: undefined, validating: undefined },
      listTokenKey: undefined,
      isOriginAllowed: undefined,
      agents: undefined,
      audit: undefined,
      aggregatorPair: undefined,
      keyServices: [],
      storageTimes: undefined,
      paths: new Map(),
      unhandledRejections: undefined,
      isStopping: () => this.isStopping,
      advertised: () => '192.0.2.1:6443',
      own: {
        url: () => 'https://192.0.2.1:6443',
        connect: () => {
          throw new RangeError('nothing listens');
        },
        token: 'none',
      },
    });
  }

  static async open(
    flags: readonly string[] = [],
    dialectName: 'orch' | 'kubernetes' = 'orch',
  ): Promise<BuiltApi> {
    const { config } = layerServeConfig({ argv: ['--ephemeral', ...flags] });
    const model = createApiModel(config, createDialect(dialectName));
    const { selectableFields } = model;
    const clock = new ManualClock();
    const storage = openMemoryStorage({ clock });
    const watchCache = await openWatchCache({ storage, root: model.root, clock, selectableFields });
    return new BuiltApi(storage, watchCache, { config, model });
  }

  /** Sends a request as somebody: `admin`, `alice`, or nobody. */
  async send(url: string, as: 'admin' | 'alice' | 'nobody' = 'admin', request: TestRequest = {}) {
    const headers: Record<string, string> = as === 'nobody' ? {} : { authorization: `Bearer ${as}-token` };
    const exchange = makeExchange({ url, ...request, headers: { ...headers, ...request.headers } });
    await this.api.handler(exchange);
    return exchange.answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.watchCache[Symbol.asyncDispose]();
    await this.storage[Symbol.asyncDispose]();
  }
}

/** Every part of the start is done. */
function finishStart({ api: { hooks } }: BuiltApi): void {
  for (const part of hooks.pending) hooks.finish(part);
}

describe('buildApi', () => {
  let built: BuiltApi;
  beforeEach(async () => {
    built = await BuiltApi.open();
  });
  afterEach(() => built[Symbol.asyncDispose]());

  const served: [url: string, code: number][] = [
    ['/version', 200],
    ['/version/', 200],
    ['/healthz/ping', 200],
    ['/metrics', 200],
    ['/api', 200],
    ['/api/v1', 200],
    ['/apis', 200],
    ['/apis/apps', 200],
    ['/apis/apps/v1', 200],
    ['/api/v1/pods', 200],
    ['/apis/apps/v1/namespaces/n/deployments', 200],
    ['/api/v1/namespaces/n/pods/none', 404],
    ['/api/v1/none', 404],
    ['/apis/none/v1/things', 404],
    ['/none', 404],
  ];
  for (const [url, code] of served) {
    it(`answers ${code} at ${url}`, async () => {
      expect((await built.send(url)).statusCode).to.equal(code);
    });
  }

  it('names the address that it is told in discovery', async () => {
    const { serverAddressByClientCIDRs } = (await built.send('/api')).json;
    expect(serverAddressByClientCIDRs).to.deep.equal([
      { clientCIDR: '0.0.0.0/0', serverAddress: '192.0.2.1:6443' },
    ]);
  });

  it('refuses whom it does not know', async () => {
    const answer = await built.send('/api/v1/pods', 'nobody', { headers: { authorization: 'Bearer wrong' } });
    expect([answer.statusCode, answer.json.reason]).to.deep.equal([401, 'Unauthorized']);
  });

  it('lets strangers see nothing that no role grants', async () => {
    finishStart(built);
    expect((await built.send('/healthz', 'nobody')).statusCode).to.equal(403);
    expect((await built.send('/api/v1/secrets', 'nobody')).statusCode).to.equal(403);
  });

  it('lets nobody in without a token when anonymous access is off', async () => {
    await using closed = await BuiltApi.open(['--anonymous-auth=false']);
    expect((await closed.send('/healthz', 'nobody')).statusCode).to.equal(401);
  });

  it('is not ready before the start is over, nor once it stops', async () => {
    expect((await built.send('/readyz')).statusCode).to.equal(500);
    finishStart(built);
    expect((await built.send('/readyz')).statusCode).to.equal(200);
    built.isStopping = true;
    const stopping = await built.send('/readyz');
    expect([stopping.statusCode, stopping.text]).to.satisfy(
      ([code, text]: [number, string]) => code === 500 && text.includes('[-]shutdown failed'),
    );
    expect((await built.send('/livez')).statusCode).to.equal(200);
  });

  it('serves what the configuration turns on and off', async () => {
    await using other = await BuiltApi.open(['--runtime-config=apps/v1=false,batch/v2alpha1=true']);
    expect((await other.send('/apis/apps/v1')).statusCode).to.equal(404);
    expect((await other.send('/apis/batch/v2alpha1')).statusCode).to.equal(200);
    expect((await built.send('/apis/batch/v2alpha1')).statusCode).to.equal(404);
  });

  it('speaks the other dialect throughout', async () => {
    await using other = await BuiltApi.open([], 'kubernetes');
    const urls = ['/apis', '/api/v1', '/readyz?verbose', '/none'];
    for (const url of urls) {
      const { text } = await other.send(url);
      expect(text, url).not.to.match(/\borch\b/);
    }
  });

  it('counts requests under bounded labels', async () => {
    for (let n = 0; n < 20; n++) await built.send(`/api/v1/namespaces/n/pods/p/invented${n}`);
    const { text } = await built.send('/metrics');
    expect(text).not.to.contain('invented');
  });

  it('answers every verb that is none with a Status', async () => {
    for (const method of ['TRACE', 'PROPFIND', 'OPTIONS']) {
      const answer = await built.send('/api/v1/pods', 'admin', { method });
      expect(answer.statusCode, method).to.be.oneOf([404, 405]);
      expect(built.logger.lines).to.deep.equal([]);
    }
  });
});
