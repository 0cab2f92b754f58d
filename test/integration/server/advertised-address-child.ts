/** Starts a server where it is run, writes what the server says about its address, and ends. */
import { X509Certificate } from 'node:crypto';
import { connect } from 'node:tls';
import { startServer } from '../../../src/app/index.ts';
import { ApiClient } from '../../support/api-client.ts';

const flags = ['--ephemeral', '--secure-port=0', '--controllers=none', ...process.argv.slice(2)];
const server = await startServer({ flags });
const { url, authorityPem, adminCertificatePem: certificatePem, adminKeyPem: keyPem } = server;
const client = new ApiClient({ url, authorityPem, certificatePem, keyPem });
const port = Number(new URL(url).port);
const get = async (path: string) => (await client.get(path)).body;
const certificate = await new Promise<X509Certificate>((resolve) => {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
    resolve(new X509Certificate(socket.getPeerCertificate().raw));
    socket.destroy();
  });
});
const endpoints = await get('/api/v1/namespaces/default/endpoints/orch');
const slice = await get('/apis/discovery.orch.io/v1beta1/namespaces/default/endpointslices/orch');
const { serverAddressByClientCIDRs: addresses } = await get('/api');
const { jwks_uri: keySet } = await get('/.well-known/openid-configuration');
const text = JSON.stringify({
  endpoints: endpoints.subsets?.[0].addresses[0].ip,
  slice: slice.endpoints?.[0].addresses[0],
  discovery: addresses[0].serverAddress,
  keySet,
  certificate: certificate.subjectAltName,
});
// The port is any free one.
process.stdout.write(text.replaceAll(`:${port}`, ':PORT'));
client.close();
await server.stop();
