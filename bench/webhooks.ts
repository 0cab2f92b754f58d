/**
 * What a mutating webhook costs the server that asks it: CPU time of its process for one new config map, with and without a
 * webhook in another process that answers at once over kept connections.
 */
import { createServer, type Server as HttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { issueCertificate, makeAuthority } from '../src/server/pki/index.ts';
import { ApiClient } from '../test/support/api-client.ts';
import { makeTemporaryDirectory } from '../test/support/temporary-directory.ts';
import { configurationsPath, webhookConfiguration } from '../test/support/webhook-configurations.ts';
import { type BenchServer, startProgram } from './bench-server.ts';
import { runClosedLoop } from './closed-loop.ts';
import { cpuMicros } from './process-usage.ts';
import { encodeRequest } from './raw-request.ts';

/** What one call costs. */
export interface WebhookFigures {
  /** Requests at a time. */
  readonly clients: number;
  /** CPU time of a new config map without the webhook, in microseconds. */
  readonly aloneMicros: number;
  /** What the webhook adds to that when it allows the object, and when it sets a label. */
  readonly allowedMicros: number;
  readonly patchedMicros: number;
}

const rounds = 5;
const serverFlags = ['--controllers=none', '--disable-admission-plugins=ServiceAccount'];
const path = '/api/v1/namespaces/default/configmaps';
const patch = Buffer.from('[{"op":"add","path":"/metadata/labels","value":{"a":"b"}}]').toString('base64');

type Way = 'alone' | 'allowed' | 'patched';

/** Measures with one and with sixteen requests at a time. */
export async function measureWebhooks({ isQuick }: { readonly isQuick: boolean }): Promise<WebhookFigures[]> {
  await using directory = await makeTemporaryDirectory();
  await using server = await startProgram([`--data-dir=${directory.path}`, ...serverFlags]);
  const webhook = await startWebhook();
  const admin = new ApiClient(server.access);
  const figures: WebhookFigures[] = [];
  try {
    for (const clients of [1, 16])
      figures.push(await measureWith(server, admin, { webhook, clients, count: isQuick ? 50 : 1500 }));
  } finally {
    admin.close();
    webhook.server.closeAllConnections();
    webhook.server.close();
  }
  return figures;
}

interface Load {
  readonly webhook: Awaited<ReturnType<typeof startWebhook>>;
  readonly clients: number;
  readonly count: number;
}

async function measureWith(
  server: BenchServer,
  admin: ApiClient,
  { webhook, clients, count }: Load,
): Promise<WebhookFigures> {
  const least: Record<Way, number> = { alone: Infinity, allowed: Infinity, patched: Infinity };
  // The ways take turns, and the best of each counts: other programs come and go. The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    for (const way of ['alone', 'allowed', 'patched'] as const) {
      webhook.patches = way === 'patched';
      const configuration = webhookConfiguration({}, webhook, [{}]);
      if (way !== 'alone') await admin.create(configurationsPath('Mutating'), configuration);
      const micros = await costOf(server, { clients, count, name: `${way}-${clients}-${round}` });
      if (way !== 'alone') await admin.expect('DELETE', `${configurationsPath('Mutating')}/hooks`);
      if (round > 0) least[way] = Math.min(least[way], micros);
    }
  }
  const { alone, allowed, patched } = least;
  return {
    clients,
    aloneMicros: alone,
    allowedMicros: allowed - alone,
    patchedMicros: patched - alone,
  };
}

async function costOf(
  { access, pid = 0 }: BenchServer,
  { clients, count, name }: { readonly clients: number; readonly count: number; readonly name: string },
): Promise<number> {
  let before = 0;
  const { failures } = await runClosedLoop({
    access,
    protocol: 'http/1.1',
    clients,
    count,
    requestFor: (index) =>
      encodeRequest(path, { method: 'POST', body: JSON.stringify(configMap(`${name}-${index}`)) }),
    onReady: async () => {
      before = await cpuMicros(pid);
    },
  });
  if (failures.length > 0) throw new Error(`creates failed: ${failures.join(', ')}`);
  return ((await cpuMicros(pid)) - before) / count;
}

const configMap = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`key-${at}`, 'x'.repeat(80)])),
});

/** A webhook that says yes to everything, on loopback. */
async function startWebhook() {
  const times = { nowMs: Date.now(), lifetimeMs: 3_600_000 };
  const authority = await makeAuthority({ commonName: 'webhook-authority', ...times });
  const pair = await issueCertificate({
    authority,
    subject: { commonName: 'webhook' },
    usage: 'server',
    ipAddresses: ['127.0.0.1'],
    ...times,
  });
  const server: HttpsServer = createServer({ cert: pair.certificatePem, key: pair.privateKeyPem });
  const webhook = {
    server,
    patches: false,
    caBundle: Buffer.from(authority.certificatePem).toString('base64'),
    url: '',
  };
  server.on('request', (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { kind, apiVersion, request: asked } = JSON.parse(Buffer.concat(chunks).toString());
      const change = webhook.patches ? { patchType: 'JSONPatch', patch } : {};
      const answer = { kind, apiVersion, response: { uid: asked.uid, allowed: true, ...change } };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // It listens at an address, not at a path.
  webhook.url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return webhook;
}

/** A table of the figures. */
export function renderWebhooks(figures: readonly WebhookFigures[]): string {
  const micros = (value: number): string => `${Math.round(value)} µs`.padStart(8);
  const lines = figures.map(
    ({ clients, aloneMicros, allowedMicros, patchedMicros }) =>
      `${String(clients).padStart(7)}  ${micros(aloneMicros)}  ${micros(allowedMicros)}  ${micros(patchedMicros)}`,
  );
  return `Server CPU of a new config map, and what a webhook adds\nclients     alone   allowed   patched\n${lines.join('\n')}\n`;
}
