import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { expect } from 'chai';
import { runProgram } from '../../../src/ctl/external/run-program.ts';
import { formatError } from '../../../src/ctl/format-error.ts';
import { createProcessIo } from '../../../src/ctl/index.ts';
import { issueLink } from '../../support/certificate-chain.ts';
import { run } from '../../unit/ctl/support/run.ts';

/** What only those who write programs for the runtime know. */
const runtimeWords =
  /\bE[A-Z]{4,}\b|ERR_|getaddrinfo|altnames|socket hang up|syscall|errno|Invalid URL|Invalid character|routines|openssl|Node\.js|Parse Error|Client network socket|await/;

/** Servers that are none, by what they do with a connection. */
type Misbehaviour = 'ends' | 'resets' | 'talks' | 'breaks' | 'tls' | 'certificate' | 'old';

describe('what goes wrong between ctl and files, names, sockets and certificates', () => {
  let folder: string;
  let servers: Readonly<Record<Misbehaviour, Server>>;
  const port = (name: Misbehaviour) => (servers[name].address() as AddressInfo).port;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ctl-words-'));
    mkdirSync(join(folder, 'd'));
    symlinkSync('self', join(folder, 'self'));
    writeFileSync(join(folder, 'text'), 'no PEM\n');
    const { certificatePem: cert, privateKeyPem: key } = await issueLink({
      name: 'a',
      isLeaf: true,
      dnsNames: ['a.example'],
    });
    const other = await issueLink({ name: 'b', isLeaf: true });
    writeFileSync(join(folder, 'cert.pem'), cert);
    writeFileSync(join(folder, 'other-key.pem'), other.privateKeyPem);
    const onData = (act: (socket: Socket) => void) =>
      createServer((socket) => socket.on('error', () => {}).once('data', () => act(socket)));
    servers = {
      ends: onData((socket) => socket.end()),
      resets: onData((socket) => socket.resetAndDestroy()),
      talks: onData((socket) => socket.end('nonsense\r\n\r\n')),
      breaks: createHttpServer((_, response) => {
        response.writeHead(200, { 'content-length': 100, 'content-type': 'application/json' });
        response.write('{"a"', () => response.destroy());
      }),
      tls: createTlsServer({ cert, key }),
      certificate: createTlsServer({ cert, key, requestCert: true, rejectUnauthorized: true }),
      old: createTlsServer({
        cert,
        key,
        minVersion: 'TLSv1',
        maxVersion: 'TLSv1.1',
        ciphers: 'DEFAULT@SECLEVEL=0',
      }),
    };
    for (const server of Object.values(servers)) {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      server.on('tlsClientError', () => {});
    }
  });
  after(() => {
    for (const server of Object.values(servers)) server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const refused =
    'The connection to the server 127.0.0.1:1 was refused - did you specify the right host or port?';
  const unable = (why: string) => `Unable to connect to the server: ${why}`;
  const noFile = 'no such file or directory';
  const loop = 'too many levels of symbolic links';
  const insecure = '--insecure-skip-tls-verify';

  /** `PORT(x)` is the port of a server, `AT/` the folder with the files. */
  const cases: readonly (readonly [line: string, text: string])[] = [
    // Files and folders.
    ['get pods --orchconfig AT/none', `error: stat AT/none: ${noFile}`],
    ['get pods --orchconfig AT/d', 'error: error loading config file "AT/d": read AT/d: is a directory'],
    ['get pods --orchconfig AT/self', `error: error loading config file "AT/self": open AT/self: ${loop}`],
    ['config set-context x --orchconfig AT/text/x', 'error: mkdir AT/text: file exists'],
    ['create -f AT/none', 'error: the path "AT/none" does not exist'],
    ['create -f AT/self', `error: stat AT/self: ${loop}`],
    ['create cm x --dry-run=client --from-env-file=AT/d', 'error: read AT/d: is a directory'],
    ['create cm x --dry-run=client --from-file=AT/none', `error: error reading AT/none: ${noFile}`],
    [
      'create secret tls x --dry-run=client --cert=AT/none --key=AT/none',
      `error: Cannot read file AT/none, open AT/none: ${noFile}`,
    ],
    [
      'kustomize AT/self',
      `error: absolute path error in 'AT/self' : evalsymlink failure on 'AT/self' : stat AT/self: ${loop}`,
    ],
    ['get pods -o jsonpath-file=AT/d', 'error: error reading --template AT/d, read AT/d: is a directory'],
    ['patch pod x --patch-file=AT/none', `error: unable to read patch file: open AT/none: ${noFile}`],
    // URLs behind -f.
    ['create -f http://127.0.0.1:1/x', refused],
    ['create -f http://nope.invalid/x', unable('dial tcp: lookup nope.invalid: no such host')],
    ['create -f http://127.0.0.1:PORT(ends)/x', unable('EOF')],
    [
      'create -f http://127.0.0.1:PORT(resets)/x',
      unable('read tcp 127.0.0.1:PORT(resets): read: connection reset by peer'),
    ],
    ['create -f http://127.0.0.1:PORT(talks)/x', unable('malformed HTTP response')],
    [
      'create -f http://127.0.0.1:PORT(breaks)/x',
      'error: error parsing http://127.0.0.1:PORT(breaks)/x: unexpected EOF',
    ],
    ['create -f https://127.0.0.1:PORT(tls)/x', unable('x509: certificate signed by unknown authority')],
    ['create -f http://', 'error: the URL passed to filename "http://" is not valid'],
    // Servers.
    ['get pods -s http://127.0.0.1:1', refused],
    ['get pods -s http://nope.invalid', unable('dial tcp: lookup nope.invalid: no such host')],
    ['get pods -s http://127.0.0.1:PORT(ends)', unable('EOF')],
    [
      'get pods -s http://127.0.0.1:PORT(resets)',
      unable('read tcp 127.0.0.1:PORT(resets): read: connection reset by peer'),
    ],
    ['logs x -s http://127.0.0.1:PORT(talks)', unable('malformed HTTP response')],
    ['exec x -s http://127.0.0.1:PORT(ends) -- ls', unable('EOF')],
    [
      'get pods -s https://127.0.0.1:PORT(talks)',
      unable('tls: first record does not look like a TLS handshake'),
    ],
    // Certificates and credentials.
    ['get pods -s https://127.0.0.1:PORT(tls)', unable('x509: certificate signed by unknown authority')],
    [
      'get pods -s https://127.0.0.1:PORT(tls) --certificate-authority=AT/cert.pem',
      unable("x509: cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs"),
    ],
    [
      'get pods -s https://127.0.0.1:PORT(tls) --certificate-authority=AT/cert.pem --tls-server-name=b.example',
      unable('x509: certificate is valid for a.example, not b.example'),
    ],
    [
      'get pods -s https://127.0.0.1:PORT(tls) --certificate-authority=AT/none',
      `error: unable to read certificate-authority AT/none: open AT/none: ${noFile}`,
    ],
    [
      `get pods -s https://127.0.0.1:PORT(tls) ${insecure} --client-certificate=AT/text --client-key=AT/text`,
      unable('tls: failed to find any PEM data in certificate input'),
    ],
    [
      `get pods -s https://127.0.0.1:PORT(tls) ${insecure} --client-certificate=AT/cert.pem --client-key=AT/text`,
      unable('tls: failed to parse private key'),
    ],
    [
      `get pods -s https://127.0.0.1:PORT(tls) ${insecure} --client-certificate=AT/cert.pem --client-key=AT/other-key.pem`,
      unable('tls: private key does not match public key'),
    ],
    [
      `get pods -s https://127.0.0.1:PORT(certificate) ${insecure}`,
      unable('remote error: tls: certificate required'),
    ],
    [
      `get pods -s https://127.0.0.1:PORT(old) ${insecure}`,
      unable('remote error: tls: protocol version not supported'),
    ],
    ['get pods --token=a\u0001b', unable('net/http: invalid header field value for "Authorization"')],
    // Ports of our own.
    ['proxy --port=PORT(ends)', 'error: listen tcp 127.0.0.1:PORT(ends): bind: address already in use'],
    ['proxy --address=nope.invalid', 'error: listen tcp: lookup nope.invalid: no such host'],
    [
      'proxy --address=192.0.2.1 --port=0',
      'error: listen tcp 192.0.2.1:0: bind: cannot assign requested address',
    ],
    ['proxy --unix-socket=AT/none/x', `error: listen unix AT/none/x: bind: ${noFile}`],
  ];
  const fill = (text: string): string =>
    text
      .replaceAll('AT/', `${folder}/`)
      .replace(/PORT\((\w+)\)/g, (_, name: string) => String(port(name as Misbehaviour))); // names of the table above

  for (const [line, text] of cases) {
    it(`says of ${JSON.stringify(line)}: ${text}`, async () => {
      const server = /(^| )-s /.test(line) ? [] : ['-s', 'http://127.0.0.1:1'];
      const words = fill(line).split(' ');
      const argv = words.includes('--') ? words : [...words, ...server];
      const { err, code } = await run(argv);
      expect(code).to.equal(1);
      expect(err).to.equal(`${fill(text)}\n`);
      expect(err).not.to.match(runtimeWords);
    });
  }

  it('says why a program does not start', async () => {
    const started = runProgram(createProcessIo(), { command: '/dev/null', args: [], isInteractive: false });
    const failure = await started.catch((error: unknown) => error);
    expect(formatError(failure)).to.equal('error: unable to run "/dev/null": permission denied\n');
  });
});
