import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { after, before, beforeEach, describe, it } from 'mocha';
import { type Backend, BackendClient } from '../../../../src/server/streaming/agent/index.ts';
import type { JsonObject } from '../../../support/api-client.ts';
import { type BuiltServer, startBuiltServer } from '../../../support/built-server.ts';
import { inNamespace, pod, service } from '../../../support/objects.ts';

const pods = inNamespace('default', 'pods');
const services = inNamespace('default', 'services');
const contentType = 'application/merge-patch+json';

/** Remembers where it was to connect to, and connects to one server of the test instead. */
class ReroutingClient extends BackendClient {
  readonly seen: Backend[] = [];
  port = 0;

  override open(backend: Backend, ...rest: [Parameters<BackendClient['open']>[1], AbortSignal]) {
    this.seen.push(backend);
    return super.open({ ...backend, scheme: 'http', address: '127.0.0.1', port: this.port }, ...rest);
  }
}

describe('proxies of pods and services', () => {
  let built: BuiltServer;
  let site: Server;
  const client = new ReroutingClient({ connectTimeoutMs: 5000 });
  before(async () => {
    site = createServer((request, response) => response.end(`${request.method} ${request.url}`));
    await new Promise<void>((resolve) => void site.listen(0, '127.0.0.1', resolve));
    client.port = (site.address() as AddressInfo).port;
    built = await startBuiltServer({
      client,
      choice: {
        preferredAddressTypes: ['InternalIP'],
        defaultPort: 10_250,
        endpointField: 'nodeAgentEndpoint',
      },
      redirects: undefined,
      maySkipVerification: true,
    });
    await placePod('web', '10.1.0.1', { ports: [{ containerPort: 8080 }] });
    await placePod('bare', 'fd00::7', {});
    await built.admin.create(services, service('site', { ports: [{ name: 'web', port: 80 }] }));
    await built.admin.create(inNamespace('default', 'endpoints'), endpointsOf('site', 'web'));
  });
  after(async () => {
    await built?.[Symbol.asyncDispose]();
    site?.close();
  });
  beforeEach(() => {
    client.seen.length = 0;
  });

  async function placePod(name: string, podIP: string, container: JsonObject): Promise<void> {
    const made = pod(name);
    Object.assign(made.spec.containers[0], container);
    await built.admin.create(pods, made);
    const body = { status: { podIP, podIPs: [{ ip: podIP }] } };
    await built.admin.expect('PATCH', `${pods}/${name}/status`, { body, contentType });
  }
  const endpointsOf = (name: string, portName: string): JsonObject => ({
    kind: 'Endpoints',
    apiVersion: 'v1',
    metadata: { name },
    subsets: [
      {
        addresses: [
          { ip: '10.9.9.9' },
          { ip: '10.9.9.8', targetRef: { kind: 'Pod', namespace: 'default', name: 'web' } },
          { ip: '10.1.0.1', targetRef: { kind: 'Pod', namespace: 'default', name: 'web' } },
        ],
        ports: [
          { name: 'other', port: 1 },
          { name: portName, port: 8080 },
        ],
      },
    ],
  });

  const places: readonly (readonly [string, Partial<Backend>])[] = [
    [`${pods}/web/proxy/a?b=c`, { scheme: 'http', host: '10.1.0.1', port: 8080 }],
    [`${pods}/web:9090/proxy/a?b=c`, { scheme: 'http', host: '10.1.0.1', port: 9090 }],
    [`${pods}/https:web:9443/proxy/a?b=c`, { scheme: 'https', host: '10.1.0.1', port: 9443 }],
    [`${pods}/bare/proxy/a?b=c`, { scheme: 'http', host: 'fd00::7', port: 80 }],
    [`${pods}/https:bare:/proxy/a?b=c`, { scheme: 'https', host: 'fd00::7', port: 443 }],
    [`${services}/site:80/proxy/a?b=c`, { scheme: 'http', host: '10.1.0.1', port: 8080 }],
    [`${services}/site:web/proxy/a?b=c`, { scheme: 'http', host: '10.1.0.1', port: 8080 }],
    [`${services}/https:site:web/proxy/a?b=c`, { scheme: 'https', host: '10.1.0.1', port: 8080 }],
  ];
  for (const [path, backend] of places) {
    it(`reach ${backend.scheme}://${backend.host}:${backend.port} at ${path}`, async () => {
      const { code, text } = await built.admin.send('DELETE', path);
      expect([code, text]).to.deep.equal([200, 'DELETE /a?b=c']);
      expect(client.seen[0]).to.deep.include({ ...backend, trust: 'anyone' });
    });
  }

  const refused: readonly (readonly [string, number, string])[] = [
    [`${pods}/ftp:web:21/proxy/`, 400, 'invalid pod request "ftp:web:21"'],
    [`${pods}/web:0/proxy/`, 400, 'invalid port "0"'],
    [`${services}/site:81/proxy/`, 503, 'no service port 81 found for service "site"'],
    [`${services}/site/proxy/`, 503, 'no endpoints available for service "site"'],
    [`${services}/a:b:c:d/proxy/`, 400, 'invalid service request "a:b:c:d"'],
  ];
  for (const [path, code, message] of refused) {
    it(`refuse ${path}`, async () => {
      const { body } = await built.admin.get(path);
      expect(body).to.deep.include({ code, message });
      expect(client.seen).to.be.empty;
    });
  }
});
