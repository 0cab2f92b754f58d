import { isUtf8 } from 'node:buffer';
import { defineVerb } from '../verb.ts';
import { createGenerated, generatorOptions, takeName } from './generate.ts';
import { keyValueOptions, readKeyValues } from './key-values.ts';

/** `ctl create configmap`. */
export const configMapVerb = defineVerb({
  program: {
    name: 'ctl create configmap',
    summary: 'Create a config map from literals or files',
    usage: 'NAME [--from-literal=KEY=VALUE...] [--from-file=FILE...] [flags]',
    options: [...keyValueOptions, ...generatorOptions],
  },
  run(ctl, { options, args }) {
    const values = readKeyValues({
      literals: options.fromLiteral,
      files: options.fromFile,
      envFile: options.fromEnvFile,
    });
    const texts = [...values]
      .filter(([, value]) => isUtf8(value))
      .map(([key, value]) => [key, value.toString('utf8')]);
    const binaries = [...values]
      .filter(([, value]) => !isUtf8(value))
      .map(([key, value]) => [key, value.toString('base64')]);
    return createGenerated(ctl, options, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: takeName(args) },
      ...(texts.length > 0 ? { data: Object.fromEntries(texts) } : {}),
      ...(binaries.length > 0 ? { binaryData: Object.fromEntries(binaries) } : {}),
    });
  },
});
