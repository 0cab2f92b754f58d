import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:http2';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import {
  type CertificateRequest,
  issueCertificate,
  type KeyPair,
  makeAuthority,
} from '../../../src/server/pki/index.ts';
import { type ApiAnswer, ApiClient } from '../../support/api-client.ts';
import { eventually } from '../../support/eventually.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer, type TestServer, tokens } from '../../support/test-server.ts';

const hourMs = 3_600_000;
/** Answers with who the server takes the client for, or refuses in words that name it. */
const path = '/api/v1/namespaces/default/secrets';
const forbidden = (user: string) =>
  `secrets is forbidden: User "${user}" cannot list resource "secrets" in API group "" in the namespace "default"`;
const unauthorized = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'Unauthorized',
  reason: 'Unauthorized',
  code: 401,
};

describe('client certificates', () => {
  let directory: TemporaryDirectory;
  let server: TestServer;
  let pairs: Readonly<Record<string, KeyPair>>;
  const nowMs = Date.now();
  before(async () => {
    directory = await makeTemporaryDirectory();
    const lasting = { nowMs, lifetimeMs: hourMs };
    const [authority, foreign] = await Promise.all([
      makeAuthority({ commonName: 'ca', ...lasting }),
      makeAuthority({ commonName: 'ca', ...lasting }),
    ]);
    const subject = { commonName: 'carol', organizations: ['ops'] };
    const issue = (difference: Partial<CertificateRequest> = {}) =>
      issueCertificate({ authority, subject, usage: 'client', ...lasting, ...difference });
    pairs = {
      good: await issue(),
      expired: await issue({ nowMs: nowMs - 3 * hourMs }),
      early: await issue({ nowMs: nowMs + 3 * hourMs, lifetimeMs: 9 * hourMs }),
      foreign: await issue({ authority: foreign }),
      server: await issue({ usage: 'server' }),
      nameless: await issue({ subject: { commonName: '', organizations: ['system:masters'] } }),
    };
    const authorityFile = join(directory.path, 'ca.crt');
    await writeFile(authorityFile, authority.certificatePem);
    server = await startTestServer({
      flags: [`--client-ca-file=${authorityFile}`, `--audit-log-path=${join(directory.path, 'audit.log')}`],
    });
  });
  after(async () => {
    await server.stop();
    await directory.remove();
  });

  const clients = { 'HTTP/1.1': sendByHttp1, 'HTTP/2': sendByHttp2 };

  for (const [protocol, send] of Object.entries(clients)) {
    const get = (name: string, token?: string) => send(server, pairs[name], token);

    it(`name their user over ${protocol}`, async () => {
      const { code, body } = await get('good');
      expect([code, body.message]).to.deep.equal([403, forbidden('carol')]);
    });

    for (const name of ['expired', 'early', 'foreign', 'server']) {
      it(`that prove nothing (${name}) are refused over ${protocol}, and their clients are not anonymous`, async () => {
        const { code, body, headers } = await get(name);
        expect(code).to.equal(401);
        expect(body).to.deep.equal(unauthorized);
        expect(headers['content-type']).to.equal('application/json');
        expect(headers['www-authenticate']).to.equal(undefined);
      });

      it(`that prove nothing (${name}) do no harm to a good token over ${protocol}`, async () => {
        expect((await get(name, tokens.alice)).body.message).to.equal(forbidden('alice'));
      });

      it(`that prove nothing (${name}) do not mend a bad token over ${protocol}`, async () => {
        expect((await get(name, 'unknown')).code).to.equal(401);
      });
    }

    it(`win over tokens over ${protocol}, good or bad`, async () => {
      for (const token of [tokens.admin, 'unknown']) {
        expect((await get('good', token)).body.message).to.equal(forbidden('carol'));
      }
    });

    it(`without a name say nothing over ${protocol}, whatever their groups`, async () => {
      expect((await get('nameless')).body.message).to.equal(forbidden('system:anonymous'));
      expect((await get('nameless', tokens.alice)).body.message).to.equal(forbidden('alice'));
      expect((await get('nameless', 'unknown')).code).to.equal(401);
    });
  }

  it('that prove nothing are in the audit log with all that was tried', async () => {
    const tries = [
      [await sendByHttp1(server, pairs.foreign, undefined), 'attempted: x509'],
      [await sendByHttp1(server, pairs.foreign, 'unknown'), 'attempted: bearer, x509'],
      [await sendByHttp1(server, undefined, 'unknown'), 'attempted: bearer'],
    ] as const;
    for (const [{ headers }, words] of tries) {
      const event = await eventually(async () => {
        const lines = (await readFile(join(directory.path, 'audit.log'), 'utf8')).trim().split('\n');
        return lines.map((line) => JSON.parse(line)).find(({ auditID }) => auditID === headers['audit-id']);
      });
      expect(event.user).to.deep.equal({});
      expect(event.responseStatus.message).to.equal(`Authentication failed, ${words}`);
    }
  });

  it('are in the metrics: how long they last, and what they prove', async () => {
    const prefix = 'apiserver_client_certificate_expiration_seconds';
    const shown = [`${prefix}_bucket{le="0"}`, `${prefix}_bucket{le="3600"}`, `${prefix}_count`];
    const tried = [
      'authentication_attempts{result="error"}',
      'authenticated_user_requests{username="admin"}',
      'authenticated_user_requests{username="other"}',
    ];
    const all = async (): Promise<number[]> => {
      const lines = (await server.admin.get('/metrics')).text.split('\n');
      return [...shown, ...tried].map((series) => {
        const line = lines.find((each) => each.startsWith(`${series} `));
        return Number(line?.slice(series.length) ?? 0);
      });
    };
    const before = await all();
    const { admin: own, alice } = tokens;
    await sendByHttp1(server, pairs.good);
    await sendByHttp1(server, pairs.expired, undefined);
    await sendByHttp1(server, pairs.early, alice);
    await sendByHttp1(server, undefined, own);
    const more = (await all()).map((value, at) => value - (before[at] ?? 0));
    // The authority of all three ends within the hour. Looking at the metrics counts, too: with a certificate that lasts.
    expect(more).to.deep.equal([1, 3, 4, 1, 1, 3]);
  });
});

type Answer = Pick<ApiAnswer, 'code' | 'body' | 'headers'>;

async function sendByHttp1(
  { server }: TestServer,
  pair: KeyPair | undefined,
  token?: string,
): Promise<Answer> {
  const { url, authorityPem } = server;
  const { certificatePem, privateKeyPem: keyPem } = pair ?? {};
  const client = new ApiClient({ url, authorityPem, certificatePem, keyPem, token });
  try {
    return await client.get(path);
  } finally {
    client.close();
  }
}

async function sendByHttp2(
  { server }: TestServer,
  pair: KeyPair | undefined,
  token?: string,
): Promise<Answer> {
  const { certificatePem: cert, privateKeyPem: key } = pair ?? {};
  const session = connect(server.url, { ca: server.authorityPem, cert, key });
  try {
    const stream = session.request({
      ':path': path,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    });
    const [headers] = await once(stream, 'response');
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer); // no encoding is set, so chunks are bytes
    return { code: headers[':status'], headers, body: JSON.parse(Buffer.concat(chunks).toString()) };
  } finally {
    session.close();
  }
}
