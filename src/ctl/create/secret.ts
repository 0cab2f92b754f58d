import { UsageError } from '../errors.ts';
import { readLocalFile } from '../read-file.ts';
import { defineVerb } from '../verb.ts';
import { createGenerated, generatorOptions, takeName } from './generate.ts';
import { keyValueOptions, readKeyValues } from './key-values.ts';

/** `ctl create secret`: the kinds of secret are commands of their own. */
export const secretVerb = defineVerb({
  program: {
    name: 'ctl create secret',
    summary: 'Create a secret',
    usage: '(generic | tls) NAME [flags]',
    options: [],
  },
  subverbs: { generic: async () => genericSecretVerb, tls: async () => tlsSecretVerb },
  async run() {
    throw new UsageError('the kind of secret is required: generic or tls');
  },
});

const genericSecretVerb = defineVerb({
  program: {
    name: 'ctl create secret generic',
    summary: 'Create a secret from literals or files',
    usage: 'NAME [--type=TYPE] [--from-literal=KEY=VALUE...] [--from-file=FILE...] [flags]',
    options: [
      { name: 'type', type: 'string', section: 'Object', help: 'Type of the secret.' },
      ...keyValueOptions,
      ...generatorOptions,
    ],
  },
  run(ctl, { options, args }) {
    const values = readKeyValues({
      literals: options.fromLiteral,
      files: options.fromFile,
      envFile: options.fromEnvFile,
    });
    return createGenerated(ctl, options, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: takeName(args) },
      ...(values.size === 0
        ? {}
        : { data: Object.fromEntries([...values].map(([key, value]) => [key, value.toString('base64')])) }),
      ...(options.type ? { type: options.type } : {}),
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
      ...generatorOptions,
    ],
  },
  run(ctl, { options, args }) {
    if (!options.cert || !options.key) throw new UsageError('key and cert must be specified');
    return createGenerated(ctl, options, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: takeName(args) },
      data: { 'tls.crt': readBase64(options.cert), 'tls.key': readBase64(options.key) },
      type: ctl.dialect.label('tls'),
    });
  },
});

function readBase64(file: string): string {
  return readLocalFile(file).toString('base64');
}
