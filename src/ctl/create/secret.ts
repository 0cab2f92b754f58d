import type { ConfigOf } from '../../config/index.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError, UsageError } from '../errors.ts';
import { readLocalFile } from '../read-file.ts';
import { defineVerb, refuseToGuess } from '../verb.ts';
import { checkKeyPair } from './check-key-pair.ts';
import { hashSecret } from './content-hash.ts';
import { appendHashOption, createGenerated, generatorOptions, takeName } from './generate.ts';
import { keyValueOptions, readKeyValues } from './key-values.ts';

const secretOptions = [appendHashOption, ...generatorOptions] as const;

/** `ctl create secret`: the kinds of secret are commands of their own. */
export const secretVerb = defineVerb({
  program: {
    name: 'ctl create secret',
    summary: 'Create a secret',
    usage: '(docker-registry | generic | tls) NAME [flags]',
    options: [],
  },
  subverbs: {
    'docker-registry': async () => registrySecretVerb,
    generic: async () => genericSecretVerb,
    tls: async () => tlsSecretVerb,
  },
  run: refuseToGuess,
});

/** Content of a secret: base64 by key. */
interface SecretContent {
  readonly data?: Readonly<Record<string, string>> | undefined;
  readonly type?: string | undefined;
}

function createSecret(
  ctl: Ctl,
  options: ConfigOf<typeof secretOptions>,
  name: string,
  content: SecretContent,
): Promise<void> {
  const suffix = options.appendHash ? `-${hashSecret(name, content)}` : '';
  return createGenerated(ctl, options, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `${name}${suffix}` },
    ...content,
  });
}

/** Bytes by key as base64; undefined when there are none. */
function encodeValues(values: ReadonlyMap<string, Buffer>): SecretContent['data'] {
  if (values.size === 0) return undefined;
  return Object.fromEntries([...values].map(([key, value]) => [key, value.toString('base64')]));
}

const genericSecretVerb = defineVerb({
  program: {
    name: 'ctl create secret generic',
    summary: 'Create a secret from literals or files',
    usage: 'NAME [--type=TYPE] [--from-literal=KEY=VALUE...] [--from-file=FILE...] [flags]',
    options: [
      { name: 'type', type: 'string', section: 'Object', help: 'Type of the secret.' },
      ...keyValueOptions,
      ...secretOptions,
    ],
  },
  run(ctl, { options, args }) {
    const name = takeName(args);
    const values = readKeyValues({
      literals: options.fromLiteral,
      files: options.fromFile,
      envFile: options.fromEnvFile,
      owner: { kind: 'Secret', name },
      env: ctl.io.env,
    });
    return createSecret(ctl, options, name, {
      data: encodeValues(values),
      type: options.type || undefined,
    });
  },
});

const tlsSecretVerb = defineVerb({
  program: {
    name: 'ctl create secret tls',
    summary: 'Create a secret from a certificate and its key',
    usage: 'NAME --cert=FILE --key=FILE [flags]',
    options: [
      {
        name: 'cert',
        type: 'string',
        valueName: 'FILE',
        section: 'Object',
        help: 'Certificate in PEM form.',
      },
      { name: 'key', type: 'string', valueName: 'FILE', section: 'Object', help: 'Private key in PEM form.' },
      ...secretOptions,
    ],
  },
  run(ctl, { options, args }) {
    const name = takeName(args);
    const { cert, key } = options;
    if (!cert) throw new UsageError('flag cert is required');
    if (!key) throw new UsageError('flag key is required');
    const [certificatePem, keyPem] = [readPem(cert), readPem(key)];
    checkKeyPair(certificatePem, keyPem);
    return createSecret(ctl, options, name, {
      data: { 'tls.crt': certificatePem.toString('base64'), 'tls.key': keyPem.toString('base64') },
      type: ctl.dialect.label('tls'),
    });
  },
});

const registrySecretVerb = defineVerb({
  program: {
    name: 'ctl create secret docker-registry',
    summary: 'Create a secret with the password of an image registry',
    usage: 'NAME --docker-username=USER --docker-password=PASSWORD [--docker-server=SERVER] [flags]',
    options: [
      { name: 'docker-username', type: 'string', section: 'Object', help: 'Who logs in.' },
      { name: 'docker-password', type: 'string', section: 'Object', help: 'Password or token.' },
      { name: 'docker-email', type: 'string', section: 'Object', help: 'Mail address of the user.' },
      {
        name: 'docker-server',
        type: 'string',
        default: 'https://index.docker.io/v1/',
        section: 'Object',
        help: 'Where the registry is.',
      },
      ...keyValueOptions.filter((option) => option.name === 'from-file'),
      ...secretOptions,
    ],
  },
  run(ctl, { options, args }) {
    const name = takeName(args);
    const type = ctl.dialect.label('dockerconfigjson');
    const { fromFile } = options;
    if (fromFile.length > 0) {
      const values = readKeyValues({
        literals: [],
        files: fromFile,
        envFile: undefined,
        owner: { kind: 'Secret', name },
        env: {},
      });
      return createSecret(ctl, options, name, { data: encodeValues(values), type });
    }
    const { dockerUsername: username, dockerPassword: password, dockerServer: server } = options;
    if (!username) throw new UsageError('flag docker-username is required');
    if (!password) throw new UsageError('flag docker-password is required');
    if (!server) throw new CtlError('flag docker-server is required');
    const auth = Buffer.from(`${username}:${password}`).toString('base64');
    const email = options.dockerEmail ? { email: options.dockerEmail } : {};
    const config = JSON.stringify({ auths: { [server]: { username, password, ...email, auth } } });
    return createSecret(ctl, options, name, {
      data: { '.dockerconfigjson': Buffer.from(config).toString('base64') },
      type,
    });
  },
});

function readPem(file: string): Buffer {
  try {
    return readLocalFile(file);
  } catch (error) {
    if (!(error instanceof CtlError)) throw error;
    throw new CtlError(`Cannot read file ${file}, ${error.message}`, { cause: error });
  }
}
