import { generateKeyPairSync } from 'node:crypto';
import { parseCidr } from '../../src/apis/core/index.ts';
import { createApiModel } from '../../src/app/api-model.ts';
import { buildApi } from '../../src/app/build-api.ts';
import { silentLogger, systemClock } from '../../src/base/index.ts';
import { layerServeConfig } from '../../src/config/serve/index.ts';
import { createDialect } from '../../src/machinery/dialect.ts';
import { HttpListener } from '../../src/net/http/index.ts';
import { readSigningKey, tokenFileAuthenticator } from '../../src/server/authentication/index.ts';
import { serveRequests } from '../../src/server/index.ts';
import { issueCertificate, makeAuthority } from '../../src/server/pki/index.ts';
import type { AgentAccess } from '../../src/server/subresources/index.ts';
import { openMemoryStorage } from '../../src/storage/memory/index.ts';
import { openWatchCache } from '../../src/storage/watch-cache/index.ts';
import { ApiClient } from './api-client.ts';
import { tokens } from './test-server.ts';

/** A server whose way to agents a test chose. */
export interface BuiltServer extends AsyncDisposable {
  readonly admin: ApiClient;
}

/** Starts an API on loopback, in memory, with the given way to agents; nothing runs beside it. */
export async function startBuiltServer(agents: AgentAccess): Promise<BuiltServer> {
  const { config } = layerServeConfig({
    argv: ['--ephemeral', '--disable-admission-plugins=ServiceAccount,NamespaceLifecycle'],
  });
  const dialect = createDialect('orch');
  const model = createApiModel(config, dialect);
  const clock = systemClock;
  const period = { nowMs: clock.nowMs(), lifetimeMs: 86_400_000 };
  const authority = await makeAuthority({ commonName: 'test', ...period });
  const ipAddresses = ['127.0.0.1'];
  const tls = await issueCertificate({
    authority,
    subject: { commonName: 'server' },
    usage: 'server',
    ipAddresses,
    ...period,
  });
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signingKey = readSigningKey(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), 'key');
  const addresses = parseCidr('10.0.0.0/24');
  if (addresses === undefined) throw new RangeError('the range is none');
  const storage = openMemoryStorage({ clock });
  const { root, selectableFields } = model;
  const watchCache = await openWatchCache({ storage, root, clock, selectableFields });
  const { handler } = buildApi({
    config,
    model,
    clock,
    logger: silentLogger,
    storage,
    watchCache,
    addresses,
    agents,
    audit: undefined,
    aggregatorPair: undefined,
    keyServices: [],
    storageTimes: undefined,
    paths: new Map(),
    fileAuthorizers: { abac: undefined, webhook: undefined },
    admissionFiles: { mutating: undefined, validating: undefined },
    listTokenKey: undefined,
    unhandledRejections: undefined,
    fileAuthenticators: {
      proxies: [],
      clients: { authenticate: () => undefined },
      tokenFiles: [tokenFileAuthenticator(`${tokens.admin},admin,,system:masters`)],
      remote: [],
    },
    loopback: { authenticate: () => undefined },
    tokens: { issuer: 'https://issuer', audiences: [], signingKey, keys: [signingKey] },
    isOriginAllowed: undefined,
    isStopping: () => false,
    advertised: () => '192.0.2.1:6443',
    own: {
      url: () => 'https://192.0.2.1:6443',
      connect: () => {
        throw new RangeError('nothing listens');
      },
      token: 'none',
    },
  });
  const http = new HttpListener({
    address: '127.0.0.1',
    port: 0,
    tls: {
      context: { cert: tls.certificatePem, key: tls.privateKeyPem, ca: authority.certificatePem },
      asksForCertificate: true,
      http2: {},
    },
    serve: serveRequests({ handler, nowMs: () => clock.nowMs() }),
  });
  const url = `https://127.0.0.1:${await http.listen()}`;
  const admin = new ApiClient({ url, authorityPem: authority.certificatePem, token: tokens.admin });
  return {
    admin,
    async [Symbol.asyncDispose]() {
      admin.close();
      await http.stop(1000);
      await watchCache[Symbol.asyncDispose]();
      await storage[Symbol.asyncDispose]();
    },
  };
}
