import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { asJsonObject, isJsonObject, type JsonObject } from '../../../src/base/index.ts';
import { createDialect, translateData } from '../../../src/machinery/dialect.ts';
import { ApiClient } from '../../support/api-client.ts';
import { type CtlServer, startCtlServer } from './support/ctl-server.ts';

/** Objects, and what the client of release 1.20 said of them, in the spelling of the code. */
interface Described {
  readonly objects: readonly { readonly path: string; readonly object: JsonObject }[];
  readonly texts: readonly { readonly args: string; readonly lines: readonly string[] }[];
}

const folder = new URL('./describe/', import.meta.url);
const areas = readdirSync(folder).map((file) => file.replace(/\.json$/, ''));

/** What differs from run to run: who runs it, times of now, identities, and how long ago something was. */
function mask(text: string): string {
  return text
    .replace(/\w{3}, \d\d \w{3} 20(?!20)\d\d [\d:]{8} \+0000/g, '<time>')
    .replace(/20(?!20)\d\d-\d\d-\d\d[ T][\d:]{8}/g, '<time>')
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uid>')
    .replace(/^(Requesting User: +)\S+$/m, '$1<user>')
    .replace(/^( *(?:Manager|Resource Version): +)\S+$/gm, '$1<other>')
    .replace(/ \d+[ms](?:\d+s)?$/gm, ' <age>')
    .replace(/lasts [0-9dhms]+/g, 'lasts <age>');
}

/** The value with each `<uid>` replaced by the one of the object that is named beside it. */
function withUids(value: unknown, uids: ReadonlyMap<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((item) => withUids(item, uids));
  if (!isJsonObject(value)) return value;
  const filled = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withUids(item, uids)]));
  return filled.uid === '<uid>' ? { ...filled, uid: uids.get(`${filled.kind}/${filled.name}`) } : filled;
}

for (const name of ['kubernetes', 'orch'] as const) {
  describe(`ctl describe, in the dialect ${name}`, () => {
    const dialect = createDialect(name);
    const zone = process.env.TZ;
    let ctlServer: CtlServer;
    before(async () => {
      process.env.TZ = 'UTC';
      ctlServer = await startCtlServer([
        '--controllers=namespace',
        `--dialect=${name}`,
        '--disable-admission-plugins=ServiceAccount,TaintNodesByCondition',
      ]);
    });
    after(async () => {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
      await ctlServer.stop();
    });

    /** Makes objects and sets their status; owners are named before what they own. */
    async function make({ objects }: Pick<Described, 'objects'>): Promise<void> {
      const { url, authorityPem, adminCertificatePem, adminKeyPem } = ctlServer.server;
      const client = new ApiClient({
        url,
        authorityPem,
        certificatePem: adminCertificatePem,
        keyPem: adminKeyPem,
      });
      const uids = new Map<string, unknown>();
      for (const { path, object } of objects) {
        const made = await client.expect('POST', path, { body: withUids(object, uids) });
        const { name, uid } = asJsonObject(made.metadata);
        uids.set(`${object.kind}/${name}`, uid);
        if (object.status === undefined) continue;
        await client.expect('PATCH', `${path}/${name}/status`, {
          contentType: 'application/merge-patch+json',
          body: { status: object.status },
        });
      }
    }

    /** The programs of a node begin with a capital letter, unlike elsewhere. */
    const nodePrograms = (text: string) =>
      name === 'orch'
        ? text
        : text
            .replaceAll('Nodeagent Version:', 'Kubelet Version:  ')
            .replaceAll('Kubernetes-Proxy', 'Kube-Proxy');

    for (const area of areas) {
      it(`says of ${area} what the client of release 1.20 says`, async () => {
        const file = readFileSync(new URL(`${area}.json`, folder), 'utf8');
        const described = translateData<Described>(dialect, JSON.parse(file));
        const ctl = (...args: string[]) => ctlServer.ctl(['--dialect', name, '-n', area, ...args]);
        await ctl('create', 'namespace', area);
        await make(described);
        for (const { args, lines } of described.texts) {
          const { out, err } = await ctl('describe', ...args.split(' '));
          expect(err, args).to.equal('');
          expect(mask(out), args).to.equal(mask(nodePrograms(lines.join('\n'))));
        }
      });
    }
  });
}
